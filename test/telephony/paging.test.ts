import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastPage, nextPage, rowPositions } from '../../src/telephony/types.ts'
import { toCall } from '../../src/telephony/wire.ts'
import { utcOffset } from '../../src/time/zones.ts'

const call = toCall({ id: '1' }, 'incoming', utcOffset('+00:00'))
const createPage = (page: number, count: number, total: number | undefined) => ({
  page,
  total,
  calls: Array.from({ length: count }, () => call),
})

test('the pages of a listing hold 20 calls each, and every call has one position', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), (total) => {
      const positions: number[] = []
      for (let number: number | undefined = 1; number !== undefined; ) {
        const page = createPage(number, Math.min(20, total - (number - 1) * 20), total)
        const { first, last } = rowPositions(page)
        expect(last - first + 1).toBe(page.calls.length)
        positions.push(first, last)
        number = nextPage(page)
        if (number === undefined) expect(page.page).toBe(lastPage(page))
      }
      expect(positions.at(0)).toBe(1)
      expect(positions.at(-1)).toBe(total)
    }),
  )
})

test('an empty list has one page; without a total, only a full page may have a next one', () => {
  expect(lastPage({ total: 0 })).toBe(1)
  expect(lastPage({ total: undefined })).toBeUndefined()
  expect(nextPage(createPage(3, 20, undefined))).toBe(4)
  expect(nextPage(createPage(3, 19, undefined))).toBeUndefined()
})
