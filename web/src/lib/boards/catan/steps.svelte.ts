/** The steps of a choice, one of which can always be taken back, and the actions of a complete one on their way. */
import type { Legal } from "../../api/types";
import { isLegal, type Choice } from "./choice";
import type { CatanAction } from "./position";

export class Steps {
  private taken: Choice[] = $state.raw([]);
  private queue: CatanAction[] = $state.raw([]);
  readonly current: Choice | null = $derived.by(() => this.taken.at(-1) ?? this.demanded());
  readonly sending: boolean = $derived.by(() => this.queue.length > 0);

  constructor(
    private readonly demanded: () => Choice | null,
    private readonly act: (action: CatanAction) => void,
  ) {}

  /** Is there a step of ours that can be taken back? */
  get begun(): boolean {
    return this.taken.length > 0;
  }

  /** A choice from the beginning; the same once more puts it away. */
  begin(choice: Choice): void {
    this.taken = this.taken.length && same(this.taken[0]!, choice) ? [] : [choice];
  }

  /** One step further within the choice. */
  further(choice: Choice): void {
    this.taken = [...this.taken, choice];
  }

  back(): boolean {
    const begun = this.begun;
    this.taken = this.taken.slice(0, -1);
    return begun;
  }

  drop(): void {
    this.taken = [];
  }

  /** Sends actions one after the other, each as soon as it is legal. */
  send(actions: readonly CatanAction[]): void {
    this.taken = [];
    const [first, ...rest] = actions;
    this.queue = rest;
    if (first) this.act(first);
  }

  /** Another decision: the next action on its way is sent, or all are forgotten if it is not possible. */
  continue(legal: readonly Legal[], mine: boolean): void {
    if (!mine) this.queue = [];
    if (!legal.length || !this.queue.length) return;
    const [next, ...rest] = this.queue;
    this.queue = isLegal(legal, next!) ? rest : [];
    if (isLegal(legal, next!)) this.act(next!);
  }
}

function same(a: Choice, b: Choice): boolean {
  return a.kind === b.kind && (a.kind !== "place" || b.kind !== "place" || a.what === b.what);
}
