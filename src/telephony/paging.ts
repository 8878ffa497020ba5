import type { CallPage } from './types.ts'

/** Spec, "Limits": records on a page of a listing. */
export const PAGE_SIZE = 20

/** The number of the last page, 1 for an empty list; `undefined` where the service's total is unknown. */
export const lastPage = ({ total }: Pick<CallPage, 'total'>): number | undefined =>
  total === undefined ? undefined : Math.max(1, Math.ceil(total / PAGE_SIZE))

/** Whether there are fewer calls on the page than its total says, as in an answer that was cut. */
export const isShort = ({ calls, page, total = 0 }: CallPage): boolean =>
  calls.length < Math.min(PAGE_SIZE, total - (page - 1) * PAGE_SIZE)

/** The number of the next page; `undefined` on the last one. Without a total, a full page may have a next one. */
export function nextPage(page: CallPage): number | undefined {
  const last = lastPage(page)
  const hasNext = last === undefined ? page.calls.length >= PAGE_SIZE : page.page < last
  return hasNext ? page.page + 1 : undefined
}

/** Where the page's first and last call stand in the whole list, from 1; of a page that has calls. */
export function rowPositions({ page, calls }: CallPage): { readonly first: number; readonly last: number } {
  const before = (page - 1) * PAGE_SIZE
  return { first: before + 1, last: before + calls.length }
}

export const totalOf = (totals: readonly (number | undefined)[]): number | undefined =>
  totals.reduce((sum, total) => (sum === undefined || total === undefined ? undefined : sum + total), 0)
