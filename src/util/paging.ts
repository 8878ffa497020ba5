import { formatNumber } from './text.ts'

export interface Pages {
  /** From 1; may be greater than `last`. */
  readonly page: number
  /** `undefined` without a total. */
  readonly last: number | undefined
  readonly next: number | undefined
  /** Rows of this page, from 1 in the whole list. */
  readonly firstRow: number
  readonly lastRow: number
  /** Rows on all pages, if known. */
  readonly total: number | undefined
}

export interface Paginated<T> extends Pages {
  readonly items: readonly T[]
}

interface PageCounts {
  readonly page: number
  readonly perPage: number
  readonly rowCount: number
  readonly total: number | undefined
  /** Whether another page follows in a list without a total. By default, a full page isn't the last. */
  readonly hasMore?: boolean
}

/** An empty list has one page. */
export const countLastPage = (total: number, perPage: number): number =>
  Math.max(1, Math.ceil(total / perPage))

export function countPages({ page, perPage, rowCount, total, hasMore }: PageCounts): Pages {
  const last = total === undefined ? undefined : countLastPage(total, perPage)
  const isFull = rowCount >= perPage
  const hasNext = last === undefined ? (hasMore ?? isFull) : page < last
  const next = hasNext ? page + 1 : undefined
  const rowsBefore = (page - 1) * perPage
  return { page, last, next, firstRow: rowsBefore + 1, lastRow: rowsBefore + rowCount, total }
}

/** Shows the last page in place of one beyond it. */
export function paginate<T>(rows: readonly T[], requestedPage: number, perPage: number): Paginated<T> {
  const page = Math.min(requestedPage, countLastPage(rows.length, perPage))
  const items = rows.slice((page - 1) * perPage, page * perPage)
  return { items, ...countPages({ page, perPage, rowCount: items.length, total: rows.length }) }
}

/** `21–40 of 2,544`, `21–40`, `41`. Not for a page without rows. */
export function rowsText({ firstRow, lastRow, total }: Pick<Pages, 'firstRow' | 'lastRow' | 'total'>) {
  const first = formatNumber(firstRow)
  const rows = firstRow === lastRow ? first : `${first}–${formatNumber(lastRow)}`
  return total === undefined ? rows : `${rows} of ${formatNumber(total)}`
}

/** `Page 2 of 128`, `Page 2` */
export function pageText({ page, last }: Pages): string {
  if (last === undefined) return `Page ${formatNumber(page)}`
  return `Page ${formatNumber(page)} of ${formatNumber(last)}`
}

/** `Page 2 of 128 · 21–40 of 2,544`; `undefined` for a single page. */
export const positionText = (pages: Pages): string | undefined =>
  pages.last === 1 ? undefined : `${pageText(pages)} · ${rowsText(pages)}`
