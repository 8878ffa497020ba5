import { expect, it } from 'vitest'
import { axisTicks } from '../../../dev/demo/page/blocks/chart-data.ts'

it.each([
  [
    [0, 0],
    [0, 1],
  ],
  [[1], [0, 1]],
  [
    [3, 2],
    [0, 1, 2, 3],
  ],
  [
    [29, 11],
    [0, 10, 20, 30],
  ],
  [[1234], [0, 500, 1000, 1500]],
  [
    [0.3, 0.1],
    [0, 0.1, 0.2, 0.3],
  ],
  [[28.6], [0, 10, 20, 30]],
])('the axis for %j has lines at %j', (values, ticks) => {
  expect(axisTicks([{ name: 'Calls', values }])).toEqual(ticks)
})
