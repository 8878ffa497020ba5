import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countPages, pageText, paginate, positionText, rowsText } from '../../src/util/paging.ts'
import { forAll } from '../support/properties.ts'

it('pages through any list, and every row has one position', () => {
  forAll(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 30 }), (total, perPage) => {
    const all = Array.from({ length: total }, (_, index) => index + 1)
    const rows: number[] = []
    for (let page: number | undefined = 1; page !== undefined; ) {
      const pages: ReturnType<typeof paginate<number>> = paginate(all, page, perPage)
      expect([pages.items.at(0), pages.items.at(-1)]).toEqual([pages.firstRow, pages.lastRow])
      rows.push(...pages.items)
      if (pages.next === undefined) expect(pages.page).toBe(pages.last)
      page = pages.next
    }
    expect(rows).toEqual(all)
  })
})

it('shows the last page in place of one beyond it, and one page of an empty list', () => {
  expect(paginate([1, 2, 3], 9, 2)).toMatchObject({ page: 2, last: 2, items: [3], next: undefined })
  expect(paginate([], 1, 2)).toMatchObject({ page: 1, last: 1, items: [], next: undefined })
})

/** Page, rows on it, total; texts and the next page. */
it.each([
  [2, 20, 133, 'Page 2 of 7', '21–40 of 133', 3],
  [7, 13, 133, 'Page 7 of 7', '121–133 of 133', undefined],
  [51, 1, 1001, 'Page 51 of 51', '1,001 of 1,001', undefined],
  [3, 20, undefined, 'Page 3', '41–60', 4],
  [3, 19, undefined, 'Page 3', '41–59', undefined],
])('page %i with %i rows of %s', (page, rowCount, total, pageLabel, rows, next) => {
  const pages = countPages({ page, perPage: 20, rowCount, total })
  expect([pageText(pages), rowsText(pages), pages.next]).toEqual([pageLabel, rows, next])
  expect(positionText(pages)).toBe(`${pageLabel} · ${rows}`)
})

it('has no position of a single page', () => {
  const page = { page: 1, perPage: 20, rowCount: 20 }
  expect(positionText(countPages({ ...page, total: 20 }))).toBeUndefined()
  expect(countPages({ ...page, total: undefined, hasMore: false }).next).toBeUndefined()
})
