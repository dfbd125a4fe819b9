/** Short notices that go away by themselves; a screen reader hears them. */
import { Refused } from "./api/client";

export interface Toast {
  id: number;
  text: string;
  tone: "plain" | "warning";
  rules: readonly string[]; // numbers of the rules that it cites
}

class Toasts {
  list: Toast[] = $state([]);
  private next = 0;

  say(text: string, tone: Toast["tone"] = "plain", rules: readonly string[] = []): void {
    const id = this.next++;
    this.list = [...this.list.filter((toast) => toast.text !== text).slice(-2), { id, text, tone, rules }];
    setTimeout(() => this.dismiss(id), 3_000 + 45 * text.length);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();

/** Runs a request; a refusal becomes a notice, and undefined. */
export async function attempt<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    const rules = error instanceof Refused ? error.rules : [];
    toasts.say(error instanceof Error ? error.message : String(error), "warning", rules);
    return undefined;
  }
}
