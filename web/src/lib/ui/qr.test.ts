import { describe, expect, it } from "vitest";
import { pathOf, qrCode } from "./qr";

const LINK = "http://192.168.1.20:8000/table/k7mzp3qwxy#invite=abcdefghijklmnopqrstuvwxyz012345";
const rows = (text: string) => qrCode(text)!.map((row) => row.map(Number).join(""));

describe("a QR code", () => {
  it("of a link is the one that another program has read", () => {
    expect(rows(LINK).map((row) => Number.parseInt(row, 2).toString(36)).join(" ")).toBe(
      "1qotjiin w4thlc1 1a136el9 1a1qkcbh 1a3cgbx9 w8aj875 1qt5f2wv 8pjmdc 1az0s3gc i07y90i 1j1qfz8f mvbwwch 11ds8h33 81bug76 194yv1bf 15no1ojk hd0tdcm hygmfqm 1c830u3n 3g9vwu9 fcahe2c b6recy0 1fucfaij tw95egr 19xae504 1ic1iiw0 19xmqzzf wkuz1o3 y95el8d 5wzoyk 1qr63crj w7m7ehm 1a1censt 1a2xg5eb 1a1z7hc3 w5kgnp5 1quaqq5z",
    );
  });

  it("grows with the text, and has its corners", () => {
    for (const [length, size] of [[1, 21], [84, 37], [150, 49], [213, 57]] as const) {
      const code = rows("x".repeat(length));
      expect(code).toHaveLength(size);
      expect(code[0]!.slice(0, 8)).toBe("11111110");
      expect(code[3]!.slice(-8)).toBe("01011101");
      expect(code.at(-1)!.slice(0, 8)).toBe("11111110");
    }
    expect(qrCode("x".repeat(214))).toBeNull();
  });

  it("is drawn as squares", () => {
    expect(pathOf([[true, false], [false, true]])).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
  });
});
