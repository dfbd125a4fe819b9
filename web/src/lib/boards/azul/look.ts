export const accent = "#1f4f9c"; // cobalt
export const accentAtNight = "#8fb4f2";
