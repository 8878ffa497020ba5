import type { EpochMs } from '../../src/util/units.ts'
import type { Block, Json } from './shapes.ts'

/** What Slack numbers by itself. */
export class Ids {
  readonly #now: () => EpochMs
  #stamps = 0
  #blocks = 0

  constructor(now: () => EpochMs) {
    this.#now = now
  }

  /** Slack's `1700000000.000100`: never the same twice, always later than the one before. */
  nextTs(): string {
    this.#stamps += 1
    return `${Math.floor(this.#now() / 1000)}.${String(this.#stamps).padStart(6, '0')}`
  }

  /** For a view, and for a view's hash. */
  nextViewId(): string {
    return `0${this.nextTs().replace('.', '')}`
  }

  /** Slack gives every block and element without an id one of its own. */
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
    if (element.type === 'image' || element.action_id !== undefined) return element
    return { ...element, action_id: this.#nextBlockId() }
  }

  #nextBlockId(): string {
    this.#blocks += 1
    return this.#blocks.toString(36).padStart(5, 'b')
  }
}
