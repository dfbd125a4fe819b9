import { describe, expect, it } from "vitest";
import { blocksOf, found, inline, plain, wordsOf } from "./markdown";

describe("words", () => {
  it("have emphasis, code and links", () => {
    expect(inline("a **b** *c* `d` [e](#f).").map(({ kind }) => kind)).toEqual([
      "text", "bold", "text", "em", "text", "code", "text", "link", "text",
    ]);
    expect(plain(inline("**one *two***"))).toContain("one");
  });
});

describe("a page of rules", () => {
  const page = '# T\n\n<a id="x-1"></a>**X-1** The *rule*\ngoes on.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n- one\n- two\n  more\n\n## U\n\nlast';

  it("is read as blocks with their anchors", () => {
    const blocks = blocksOf(page);
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "paragraph", "table", "code", "list", "heading", "paragraph"]);
    expect(blocks[1]!.anchors).toEqual(["x-1"]);
    expect(wordsOf(blocks[1]!)).toBe("X-1 The rule goes on.");
    expect(wordsOf(blocks[4]!)).toBe("one two more");
  });

  it("is searched, and keeps the headings of what is found", () => {
    expect(found(blocksOf(page), "LAST").map(wordsOf)).toEqual(["U", "last"]);
    expect(found(blocksOf(page), "nowhere")).toEqual([]);
    expect(found(blocksOf(page), " ")).toHaveLength(7);
  });

  it("of every game leaves no mark unread", () => {
    const pages = import.meta.glob<string>("../../../../docs/rules/**/*.md", { query: "?raw", import: "default", eager: true });
    expect(Object.keys(pages)).toHaveLength(16);
    for (const text of Object.values(pages)) {
      const blocks = blocksOf(text);
      const anchors = blocks.flatMap((block) => block.anchors);
      expect(anchors).toEqual([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
      const unread = blocks.filter((block) => block.kind !== "code" && /\*\*|\]\(|<a |^\|/.test(wordsOf(block)));
      expect(unread.map(wordsOf)).toEqual([]);
    }
  });
});
