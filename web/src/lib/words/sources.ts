/** The words of the sources, for the test that finds missing translations: what is translated, and what is not. */
import { parse } from "svelte/compiler";
import ts from "typescript";

export interface Message {
  part: string; // of the catalogue
  text: string;
  plural: boolean;
}

const MARKERS = new Set(["t", "mark"]);
const PLURALS = new Map([["plural", 1], ["forms", 0]]); // where the words begin among the arguments

/** The catalogue that the words of a file belong to: a game's, the lobby's (it is loaded first), or the table's. */
export function partOf(file: string): string {
  const board = /boards\/(\w+?)(?:_grid)?\/(\w+)/.exec(file);
  if (board && board[2] !== "look") return board[1]!;
  return board || /lib\/(lobby|ui|api|words|boards)\/|lib\/\w+(\.svelte)?\.ts$|App\.svelte$|table\/ending\.ts$/.test(file) ? "lobby" : "table";
}

/** All that TypeScript says through `t`, `plural` and their marks. */
export function messagesIn(file: string, source: string): Message[] {
  const part = partOf(file);
  const found: Message[] = [];
  for (const code of scriptsOf(file, source)) {
    const tree = ts.createSourceFile("words.ts", code, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        const name = node.expression.text;
        const at = PLURALS.get(name);
        if (MARKERS.has(name) && node.arguments[0]) {
          for (const text of literals(node.arguments[0])) found.push({ part, text, plural: false });
        } else if (at !== undefined && node.arguments[at + 1]) {
          for (const text of literals(node.arguments[at + 1]!)) found.push({ part, text, plural: true });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return found;
}

/** The texts that an expression may be; those that it only compares are not among them. */
function literals(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...literals(node.left), ...literals(node.right)];
  if (ts.isParenthesizedExpression(node)) return literals(node.expression);
  return [];
}

/** The script of a file; of a component its expressions too. */
function scriptsOf(file: string, source: string): string[] {
  if (!file.endsWith(".svelte")) return [source];
  const { instance, module, fragment } = parse(source, { modern: true });
  const scripts = [instance, module].flatMap((script) =>
    script ? [source.slice((script.content as unknown as Place).start, (script.content as unknown as Place).end)] : [],
  );
  const expressions: string[] = [];
  walk(fragment, (node) => {
    if (node.type === "CallExpression") expressions.push(`(${source.slice(node.start, node.end)})`);
    return node.type !== "CallExpression";
  });
  return [...scripts, ...expressions];
}

interface Place {
  start: number;
  end: number;
}
interface Node extends Place {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
}

const SPOKEN = new Set(["aria-label", "title", "placeholder", "label", "alt", "text", "question"]);
const NAMES = /^(Ludens|Esc|ludens serve.*)$/;

/** Words of a component's markup that reach people without `t`. */
export function untranslatedIn(source: string): string[] {
  const found: string[] = [];
  walk(parse(source, { modern: true }).fragment, (node) => {
    if (node.type === "Attribute") {
      const parts = SPOKEN.has(node.name!) && Array.isArray(node.value) ? (node.value as Node[]) : [];
      found.push(...parts.flatMap((part) => (part.type === "Text" ? [part.data!] : [])));
      return !Array.isArray(node.value) || (node.value as Node[]).every(({ type }) => type !== "Text");
    }
    if (node.type === "Text") found.push(node.data!);
    return true;
  });
  const texts = found.map((text) => text.replaceAll("\u00a0", " ").trim());
  return texts.filter((text) => /\p{L}{2}/u.test(text) && !NAMES.test(text));
}

function walk(node: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(node)) node.forEach((child) => walk(child, visit));
  else if (node && typeof node === "object") {
    if (typeof (node as Node).type === "string" && !visit(node as Node)) return;
    for (const [key, child] of Object.entries(node)) if (key !== "parent" && key !== "loc") walk(child, visit);
  }
}
