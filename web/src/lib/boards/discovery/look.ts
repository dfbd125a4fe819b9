export const accent = "#14706a"; // sea green
export const accentAtNight = "#74cfc0";
