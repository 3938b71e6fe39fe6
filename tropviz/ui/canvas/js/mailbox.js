// Events to Python. What a run brings is lost when another run overtakes it, so an event that must arrive is sent again
// until a message from Python says that it was heard; Python hears every number once.
const AGAIN_MS = 1200, LAST_MS = 20000;

export class Mailbox {
  // post(name, event): the current way to Python, renewed on every run
  constructor(gd) { Object.assign(this, { gd, post: null, number: 0, asked: {}, heard: {} }); }

  next() { return (this.number = Math.max(this.number + 1, Date.now())); }

  // Once; returns the event's number.
  send(name, event) {
    const id = this.next();
    this.post(name, { ...event, id });
    return id;
  }

  // Until it is heard, or a later one of its name is asked.
  ask(name, event) {
    const id = (this.asked[name] = this.next()), post = { ...event, id };
    const attempt = (wait) => {
      if (!this.gd.isConnected || this.asked[name] !== id || !this.waits(name)) return;
      this.post(name, post);
      if (wait < LAST_MS) setTimeout(attempt, wait, 2 * wait);
    };
    attempt(AGAIN_MS);
  }

  waits(name) { return (this.asked[name] ?? 0) > (this.heard[name] ?? 0); }

  hear(numbers) { Object.assign(this.heard, numbers); }
}
