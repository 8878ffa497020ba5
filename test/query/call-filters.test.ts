import { expect, it } from 'vitest'
import * as calls from '../../src/query/filters/call-filters.ts'
import { narrowingFields } from '../../src/query/filters/filter.ts'
import { LineNames } from '../../src/telephony/lines.ts'

/** Days and page are declared where lists and reports differ; `own` and `filler` stand for other filters or none. */
const otherFilters = ['range', 'from', 'to', 'own', 'filler', 'page']
const isNarrowing = (name: string) => !otherFilters.includes(name)

it('every filter has an argument, and all but the direction are stored in buttons and have an input', () => {
  const names = calls.callFilters.map(({ name }) => name).filter(isNarrowing)
  expect(Object.keys(calls.filterArguments).toSorted()).toEqual(names.toSorted())
  expect(Object.keys(calls.toFilterArguments({})).filter(isNarrowing).toSorted()).toEqual(names.toSorted())
  const narrowing = names.filter((name) => name !== 'direction').toSorted()
  expect(Object.keys(calls.filterInputs({}, LineNames.none)).toSorted()).toEqual(narrowing)
  const { agentName: _, agentId: agent, ...fields } = narrowingFields
  expect(Object.keys({ agent, ...fields }).toSorted()).toEqual(narrowing)
})
