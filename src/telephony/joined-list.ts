import { type Call, type CallPage, PAGE_SIZE, sumTotals } from './types.ts'

/** A part of a list that is read with more than one request, such as the days before a clock change. Reads each page once. */
export class ListPart {
  readonly #readPage
  readonly #pages = new Map<number, Promise<CallPage>>()

  constructor(readPage: (page: number) => Promise<CallPage>) {
    this.#readPage = readPage
  }

  /** Returns undefined if the service's figure isn't a number. */
  async count(): Promise<number | undefined> {
    const { total } = await this.#page(1)
    return total
  }

  /** @param start counts from 0 @param end isn't included */
  async slice(start: number, end: number): Promise<readonly Call[]> {
    const first = Math.floor(start / PAGE_SIZE)
    const calls: Call[] = []
    for (let index = first; index * PAGE_SIZE < end; index += 1) {
      const page = await this.#page(index + 1)
      calls.push(...page.calls)
    }
    return calls.slice(start - first * PAGE_SIZE, end - first * PAGE_SIZE)
  }

  #page(number: number): Promise<CallPage> {
    const page = this.#pages.get(number) ?? this.#readPage(number)
    this.#pages.set(number, page)
    return page
  }
}

/** Pages the parts as one list. @returns undefined if the number of its calls is unknown */
export async function joinPages(parts: readonly ListPart[], page: number): Promise<CallPage | undefined> {
  const counts = await Promise.all(parts.map((part) => part.count()))
  const total = sumTotals(counts)
  if (total === undefined) return undefined
  const start = (page - 1) * PAGE_SIZE
  const end = start + PAGE_SIZE
  const calls: Call[] = []
  let before = 0
  for (const [index, part] of parts.entries()) {
    const count = counts[index] ?? 0
    const first = Math.max(0, start - before)
    const last = Math.min(count, end - before)
    if (first < last) {
      const partCalls = await part.slice(first, last)
      calls.push(...partCalls)
    }
    before += count
  }
  return { calls, page, total }
}
