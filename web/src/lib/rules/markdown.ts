/** The Markdown that our pages of rules are written in, as blocks to be drawn. */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "bold"; parts: Inline[] }
  | { kind: "em"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

export type Block = { anchors: string[] } & (
  | { kind: "heading"; level: number; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "code"; text: string }
  | { kind: "picture"; file: string; words: string }
);

const ANCHOR = /<a id="([\w-]+)"><\/a>/g;
const MARKED = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^)]+)\)/;

/** Words with their emphasis and links. */
export function inline(text: string): Inline[] {
  const found = MARKED.exec(text);
  if (!found) return text ? [{ kind: "text", text }] : [];
  const [all, code, bold, em, label, href] = found;
  const before: Inline[] = found.index ? [{ kind: "text", text: text.slice(0, found.index) }] : [];
  let part: Inline;
  if (code !== undefined) part = { kind: "code", text: code };
  else if (bold !== undefined) part = { kind: "bold", parts: inline(bold) };
  else if (em !== undefined) part = { kind: "em", parts: inline(em) };
  else part = { kind: "link", href: href!, parts: inline(label!) };
  return [...before, part, ...inline(text.slice(found.index + all.length))];
}

/** What is said, without marks. */
export function plain(parts: readonly Inline[]): string {
  return parts.map((part) => ("text" in part ? part.text : plain(part.parts))).join("");
}

/** All that a block says, for searching. */
export function wordsOf(block: Block): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return plain(block.parts);
    case "list":
      return block.items.map(plain).join(" ");
    case "table":
      return [...block.head, ...block.rows.flat()].map(plain).join(" ");
    case "code":
      return block.text;
    case "picture":
      return block.words;
  }
}

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => inline(cell.trim()));

/** The blocks of a page. */
export function blocksOf(text: string): Block[] {
  const fences = text.split(/^```\w*\n([\s\S]*?)^```\n?/m); // every second piece was fenced
  return fences.flatMap((piece, index): Block[] => {
    if (index % 2) return [{ kind: "code", anchors: [], text: piece.trimEnd() }];
    return piece.split(/\n\s*\n/).flatMap((part) => (part.trim() ? [blockOf(part)] : []));
  });
}

function blockOf(source: string): Block {
  const anchors = [...source.matchAll(ANCHOR)].map(([, id]) => id!);
  const lines = source.replaceAll(ANCHOR, "").trim().split("\n");
  const first = lines[0]!;
  const heading = /^(#+) +(.*)$/.exec(first);
  if (heading) return { kind: "heading", anchors, level: heading[1]!.length, parts: inline(heading[2]!) };
  const picture = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(first);
  if (picture) return { kind: "picture", anchors, words: picture[1]!, file: picture[2]! };
  if (first.startsWith("|")) return { kind: "table", anchors, head: cells(first), rows: lines.slice(2).map(cells) };
  const item = /^(?:[-*]|(\d+)\.) +/.exec(first);
  if (item) {
    const items = lines.join("\n").split(/\n(?=(?:[-*]|\d+\.) +)/);
    const said = items.map((one) => inline(one.replace(/^(?:[-*]|\d+\.) +/, "").replaceAll(/\s*\n\s*/g, " ")));
    return { kind: "list", anchors, ordered: item[1] !== undefined, items: said };
  }
  return { kind: "paragraph", anchors, parts: inline(lines.map((line) => line.trim()).join(" ")) };
}

/** Blocks that say something, with the headings above them; all without a wish. */
export function found(blocks: readonly Block[], wish: string): Block[] {
  const wanted = wish.trim().toLowerCase();
  if (!wanted) return [...blocks];
  const shown: Block[] = [];
  let above: Block | null = null;
  for (const block of blocks) {
    if (block.kind === "heading") above = block;
    else if (wordsOf(block).toLowerCase().includes(wanted)) {
      if (above) shown.push(above);
      above = null;
      shown.push(block);
    }
  }
  return shown;
}
