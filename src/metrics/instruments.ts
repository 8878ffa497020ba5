import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds. */
const usualBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]

/** Makes what counts and times, all of it under the app's name. */
export class Instruments {
  readonly registry = new Registry()
  readonly #registers = [this.registry]

  counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name: `callboard_${name}`, help, labelNames, registers: this.#registers })
  }

  histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets = usualBuckets,
  ): Histogram<L> {
    return new Histogram({ name: `callboard_${name}`, help, labelNames, buckets, registers: this.#registers })
  }

  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `callboard_${name}`,
      help,
      registers: this.#registers,
      collect() {
        this.set(read())
      },
    })
  }
}
