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
    const { total } = await this.#getPage(1)
    return total
  }

  /** @param start counts from 0 @param end isn't included */
  async slice(start: number, end: number): Promise<readonly Call[]> {
    const skippedPages = Math.floor(start / PAGE_SIZE)
    const skippedCalls = skippedPages * PAGE_SIZE
    const lastPage = Math.ceil(end / PAGE_SIZE)
    const calls: Call[] = []
    for (let number = skippedPages + 1; number <= lastPage; number += 1) {
      const page = await this.#getPage(number)
      calls.push(...page.calls)
    }
    return calls.slice(start - skippedCalls, end - skippedCalls)
  }

  #getPage(number: number): Promise<CallPage> {
    const page = this.#pages.get(number) ?? this.#readPage(number)
    this.#pages.set(number, page)
    return page
  }
}

/** Returns a page of the list that the parts make up, or undefined if the number of its calls is unknown. */
export async function joinPages(parts: readonly ListPart[], page: number): Promise<CallPage | undefined> {
  const counts = await Promise.all(parts.map((part) => part.count()))
  const total = sumTotals(counts)
  if (total === undefined) return undefined
  const pageStart = (page - 1) * PAGE_SIZE
  const pageEnd = pageStart + PAGE_SIZE
  const calls: Call[] = []
  let partStart = 0
  for (const [index, part] of parts.entries()) {
    const count = counts[index] ?? 0
    const start = Math.max(0, pageStart - partStart)
    const end = Math.min(count, pageEnd - partStart)
    if (start < end) {
      const partCalls = await part.slice(start, end)
      calls.push(...partCalls)
    }
    partStart += count
  }
  return { calls, page, total }
}
