export const accent = "#8f5a08"; // ochre
export const accentAtNight = "#e6b154";
