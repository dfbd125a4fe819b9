/** Short notices that go away by themselves; a screen reader hears them. */

export interface Toast {
  id: number;
  text: string;
  tone: "plain" | "warning";
}

class Toasts {
  list: Toast[] = $state([]);
  private next = 0;

  say(text: string, tone: Toast["tone"] = "plain"): void {
    const id = this.next++;
    this.list = [...this.list.filter((toast) => toast.text !== text).slice(-2), { id, text, tone }];
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
    toasts.say(error instanceof Error ? error.message : String(error), "warning");
    return undefined;
  }
}
