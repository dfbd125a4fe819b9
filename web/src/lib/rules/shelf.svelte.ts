/** Which rules lie open beside the table, and at which number. */
class Shelf {
  game: string | null = $state(null); // whose rules can be opened here
  open = $state(false);
  rule: string | null = $state(null); // the number that was asked for, such as `CA-13`
  asked = $state(0); // so that the same number can be asked for again

  show(rule: string | null = null, game: string | null = this.game): void {
    if (!game) return;
    this.game = game;
    this.rule = rule;
    this.open = true;
    this.asked++;
  }

  close(): void {
    this.open = false;
  }
}

export const shelf = new Shelf();
