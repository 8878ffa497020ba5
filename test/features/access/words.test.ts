import { expect, it } from 'vitest'
import { accessText } from '../../../src/features/access/words.ts'
import type { AccessRecord, AccessRule } from '../../../src/store/workspaces.ts'

const everyone: AccessRule = { who: 'everyone', people: [] }
const managers = { hasSlackRoles: true, people: ['U0INSTALLER'] }
const withBilling = (billing: AccessRule): AccessRecord => ({
  calls: everyone,
  recordings: { who: 'admins', people: [] },
  agents: everyone,
  billing,
  exports: 'everyone',
  administrators: [],
})
const billing = (rule: AccessRule) =>
  /([^.]+): billing\./.exec(accessText(withBilling(rule), managers, 'U0VIEWER'))?.[1]?.trim()
const people = (...ids: string[]): AccessRule => ({ who: 'people', people: ids })

it('groups the areas by the people who may see them', () => {
  expect(accessText(withBilling(everyone), managers, 'U0VIEWER')).toBe(
    'Everyone: calls, agents, billing, exports. Administrators: recordings.',
  )
})

it('lists exports under administrators if only they may export', () => {
  expect(accessText({ ...withBilling(everyone), exports: 'admins' }, managers, 'U0VIEWER')).toBe(
    'Everyone: calls, agents, billing. Administrators: recordings, exports.',
  )
})

it.each([
  ['one more', people('U0VIEWER', 'U1'), 'Administrators and <@U1>'],
  ['three more', people('U1', 'U2', 'U3'), 'Administrators, <@U1>, <@U2> and <@U3>'],
  [
    'many more',
    people('U1', 'U2', 'U3', 'U4', 'U0INSTALLER'),
    'Administrators, <@U1>, <@U2>, <@U3> and 1 more',
  ],
])('names the people who have access besides administrators: %s', (_, rule, text) => {
  expect(billing(rule)).toBe(text)
})

it.each([
  ['an unused list', { who: 'admins' as const, people: ['U1'] }],
  ['nobody', people()],
  ['administrators only', people('U0VIEWER', 'U0INSTALLER')],
])('names only administrators for %s', (_, rule) => {
  expect(accessText(withBilling(rule), managers, 'U0VIEWER')).toContain(
    'Administrators: recordings, billing.',
  )
})
