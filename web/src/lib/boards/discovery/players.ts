/** The followers' colours by seat; their numbers tell them apart without colour. */
export interface Livery {
  name: string;
  body: string;
  ink: string;
}

export const LIVERIES: readonly Livery[] = [
  { name: "red", body: "#b3302a", ink: "#ffffff" },
  { name: "blue", body: "#2c5aa8", ink: "#ffffff" },
  { name: "yellow", body: "#f2b92f", ink: "#2b2008" },
  { name: "black", body: "#38332f", ink: "#ffffff" },
  { name: "white", body: "#f8f2e6", ink: "#2b241a" },
];

export const liveryOf = (seat: number): Livery => LIVERIES[seat % LIVERIES.length]!;
