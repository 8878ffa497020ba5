import type { EpochMs } from '../../src/util/units.ts'
import type { Block, Json } from './shapes.ts'

export class Ids {
  readonly #now: () => EpochMs
  #stamp = 0
  #blocks = 0

  constructor(now: () => EpochMs) {
    this.#now = now
  }

  /** Returns a timestamp like `1700000000.000100`, later than all before it, including those of an earlier stand-in. */
  nextTs(): string {
    this.#stamp = Math.max(this.#stamp + 1, this.#now() * 1000)
    return `${Math.floor(this.#stamp / 1_000_000)}.${String(this.#stamp % 1_000_000).padStart(6, '0')}`
  }

  nextViewId(): string {
    return `0${this.nextTs().replace('.', '')}`
  }

  /** Adds ids to blocks and elements without one, as Slack does. */
  fillIn(blocks: readonly Block[]): Block[] {
    return blocks.map((block) => ({
      ...block,
      block_id: block.block_id ?? this.#nextBlockId(),
      ...(block.element === undefined ? {} : { element: this.#withActionId(block.element) }),
      ...(block.accessory === undefined ? {} : { accessory: this.#withActionId(block.accessory) }),
      ...(block.type === 'actions' && block.elements !== undefined
        ? { elements: block.elements.map((element) => this.#withActionId(element)) }
        : {}),
    }))
  }

  #withActionId<T extends Json>(element: T): T {
    return element.action_id !== undefined ? element : { ...element, action_id: this.#nextBlockId() }
  }

  #nextBlockId(): string {
    this.#blocks += 1
    return this.#blocks.toString(36).padStart(5, 'b')
  }
}
