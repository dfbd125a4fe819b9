export const accent = "#7d1f2b"; // oxblood
export const accentAtNight = "#ec9a97";
