/** A table's live connection: opens again by itself, and says how it stands. */
import type { ServerMessage } from "../api/types";

export type Condition = "connecting" | "open" | "lost" | "closed";

export interface Handlers {
  hello(): object;
  message(message: ServerMessage): void;
  condition(condition: Condition): void;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5_000;
const SILENCE = 50_000; // the server's heart beats every 20 seconds
const GREETING = 15_000; // for the connection and the first answer: a browser waits for minutes, a server may be starting

export class TableSocket {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly address: string,
    private readonly handlers: Handlers,
  ) {
    addEventListener("online", this.retryNow);
    this.connect();
  }

  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Tries again at once instead of after the present pause. */
  retryNow = (): void => {
    if (this.ended || this.socket) return;
    this.wait = FIRST_WAIT;
    this.connect();
  };

  /** Says hello anew, with other tokens. */
  renew(): void {
    this.drop();
    this.connect();
  }

  end(): void {
    this.ended = true;
    removeEventListener("online", this.retryNow);
    this.drop();
    this.handlers.condition("closed");
  }

  private drop(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.handlers.condition("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", ...this.handlers.hello() }));
    socket.onmessage = (event) => this.received(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => this.lost();
    this.timer = setTimeout(() => this.lost(), GREETING);
  }

  private received(message: ServerMessage): void {
    this.wait = FIRST_WAIT;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(), SILENCE);
    if (message.type === "error") {
      const pause = message.error.retry_after;
      if (pause) {
        // It passes: a server that has just started makes its games ready, or there are too many of us.
        this.wait = Math.min(LONGEST_WAIT, pause * 1_000);
        this.lost();
        if (typeof message.error.progress === "number") this.handlers.message(message); // whoever waits is told how far it is
        return;
      }
      this.handlers.message(message);
      this.end();
      return;
    }
    if (message.type === "view") this.handlers.condition("open");
    this.handlers.message(message);
  }

  private lost(): void {
    this.drop();
    if (this.ended) return;
    this.handlers.condition("lost");
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }
}
