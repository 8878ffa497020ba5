import { expect, it } from 'vitest'
import {
  callFilters,
  filterArguments,
  filterInputs,
  narrowingFields,
} from '../../src/query/filters/call-filters.ts'
import type { Filter } from '../../src/query/filters/filter.ts'
import { LineNames } from '../../src/telephony/lines.ts'

/** Days, direction and page are declared where lists and reports differ. */
const filters: readonly Filter[] = callFilters.filter(
  ({ name }) => !['direction', 'range', 'from', 'to', 'own', 'filler', 'page'].includes(name),
)

it.each(filters)('$name is stored in buttons, and has an input and an argument', (filter) => {
  expect(Object.keys(narrowingFields)).toEqual(expect.arrayContaining(Object.keys(filter.fields ?? {})))
  expect(Object.keys(filterArguments)).toEqual(
    expect.arrayContaining(Object.keys(filter.toolArguments ?? {})),
  )
  const inputs = Object.keys(filterInputs({}, LineNames.none))
  expect(inputs).toEqual(expect.arrayContaining(Object.keys(filter.inputs?.({}, LineNames.none) ?? {})))
  expect(filter.toolArguments && filter.inputs && filter.help).toBeDefined()
})
