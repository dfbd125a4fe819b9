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

/** The outline of a follower: about 20 wide and 23 high, its foot at the origin. */
export const PAWN = "M-9.5 0Q-10-3-7.4-5.4Q-3.6-9-3.6-13.4A6 6 0 1 1 3.6-13.4Q3.6-9 7.4-5.4Q10-3 9.5 0Z";
