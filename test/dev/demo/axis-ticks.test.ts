import { expect, it } from 'vitest'
import { axisTicks } from '../../../dev/demo/page/blocks/chart-data.ts'

it.each([
  { values: [0, 0], ticks: [0, 1] },
  { values: [1], ticks: [0, 1] },
  { values: [3, 2], ticks: [0, 1, 2, 3] },
  { values: [29, 11], ticks: [0, 10, 20, 30] },
  { values: [0.3, 0.1], ticks: [0, 0.1, 0.2, 0.3] },
])('the axis for $values has lines at $ticks', ({ values, ticks }) => {
  expect(axisTicks([{ name: 'Calls', values }])).toEqual(ticks)
})
