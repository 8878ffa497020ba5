import { lastPage, PAGE_SIZE } from './paging.ts'
import type { CallPage } from './types.ts'

/** A page, and when it was read, by a clock that ticks at each sending and each receiving of one scan. */
export interface PageRead {
  readonly page: CallPage
  /** Not before the request was sent. */
  readonly sent: number
  readonly received: number
}

/** Where the totals of a service never agree, a page is taken as it is after so many tries. */
const maxAgain = 20

/** More pages in a row without anything new may be the end: without totals, nothing else tells it. */
const maxBarren = 2

interface Found {
  /** On the page that was accepted last, and not before. */
  readonly fresh: number
  /** Of all pages. */
  readonly records: number
}

/**
 * Which page to read next, so that no record is missed while the list changes.
 *
 * Where records only come, none moves to an earlier place. A reader who takes page after page, each answered no earlier than
 * the one before it, meets every record that is there all the time: on the first page whose end lies behind the record's
 * place at that moment, since the page before ended in front of it at an earlier one. Several pages in flight may be answered
 * in any order, but each tells the total of its moment, and that only grows: as long as totals don't fall from page to page,
 * they were answered in order, or of the same list. A page with a smaller total than its predecessor's is read again. If it
 * still has, though asked for after its predecessor was there, records have gone and later ones have moved up, by as many
 * places at most: the pages before are read again, as many as that makes.
 *
 * What both comes and goes between two pages can hide from the totals. `goesOn` reads all once more where that shows at the end.
 */
export class ScanCursor {
  #next = 1
  #previous: PageRead | undefined
  #again = 0
  #furthest = 0
  #isFurther = false
  #total: number | undefined
  #firstTotal: number | undefined
  #vanished = 0
  #barren = 0
  #isSecondTime = false

  /** The page to read next. */
  get next(): number {
    return this.#next
  }

  /** How far may be read ahead. Without a total there is no telling in which order pages were answered: one at a time. */
  get last(): number {
    return (this.#previous && lastPage(this.#previous.page)) ?? this.#next
  }

  /** How many pages were read, from the first one. */
  get pages(): number {
    return this.#furthest
  }

  /** As the service told it last. */
  get total(): number | undefined {
    return this.#total
  }

  /** @returns whether the page goes on where the one before it ended; otherwise another is `next`, or the same once more */
  accepts(read: PageRead): boolean {
    const previous = this.#previous
    const isLater = previous === undefined || read.sent > previous.received
    const [before, now] = [previous?.page.total, read.page.total]
    const lost = before === undefined || now === undefined ? undefined : before - now
    const isInOrder = isLater ? (lost ?? 0) <= 0 : lost !== undefined && lost <= 0
    if (!isInOrder && this.#again < maxAgain) {
      this.#again += 1
      if (isLater && lost !== undefined) {
        this.#vanished += lost
        this.#next = Math.max(1, this.#next - Math.ceil(lost / PAGE_SIZE))
        // More may go until that page is read.
        this.#previous = read
      }
      return false
    }
    this.#isFurther = this.#next > this.#furthest
    if (this.#isFurther) this.#again = 0
    this.#previous = read
    this.#total = now ?? this.#total
    this.#firstTotal ??= now
    this.#furthest = Math.max(this.#furthest, this.#next)
    this.#next += 1
    return true
  }

  /**
   * Whether there is more to read after a page that was accepted. Where fewer records came than the service said at first,
   * and than are known to have gone, all is read once more.
   */
  goesOn({ page: { page, calls, total } }: PageRead, found: Found): boolean {
    if (calls.length === 0 || this.#isBarren(found)) return false
    if (total === undefined) return calls.length >= PAGE_SIZE
    if (this.#isSecondTime && found.records >= total) return false
    if (page < (lastPage({ total }) ?? page)) return true
    if (this.#isSecondTime || found.records + this.#vanished >= (this.#firstTotal ?? 0)) return false
    this.#isSecondTime = true
    this.#next = 1
    this.#previous = undefined
    return true
  }

  /**
   * Whether the service has no more, though it goes on answering, such as with its last page over and over. What is on the
   * pages so far was found, or came since the first one: where they hold more than that, records are there twice.
   */
  #isBarren({ fresh, records }: Found): boolean {
    if (fresh > 0) this.#barren = 0
    else if (this.#isFurther) this.#barren += 1
    const came = Math.max(0, (this.#total ?? 0) - (this.#firstTotal ?? 0))
    return this.#barren > maxBarren && this.#furthest * PAGE_SIZE > records + came + this.#vanished
  }
}
