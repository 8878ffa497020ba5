import { expect, it } from 'vitest'
import { accessText } from '../../../src/features/home/words.ts'
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
  / · billing (.+) · exports /.exec(accessText(withBilling(rule), managers, 'U0VIEWER'))?.[1]
const people = (...ids: string[]): AccessRule => ({ who: 'people', people: ids })

it('says for each area who may see it', () => {
  expect(accessText(withBilling(everyone), managers, 'U0VIEWER')).toBe(
    'Access: calls everyone · recordings administrators · agents everyone · billing everyone · exports everyone who can see calls',
  )
})

it('says where exports are for administrators alone', () => {
  expect(accessText({ ...withBilling(everyone), exports: 'admins' }, managers, 'U0VIEWER')).toMatch(
    / · exports administrators$/,
  )
})

it.each([
  ['whose list was forgotten', { who: 'admins', people: ['U1'] } as const, 'administrators'],
  ['nobody', people(), 'administrators'],
  ['administrators alone', people('U0VIEWER', 'U0INSTALLER'), 'administrators'],
  ['one more', people('U0VIEWER', 'U1'), 'administrators and <@U1>'],
  ['three more', people('U1', 'U2', 'U3'), 'administrators, <@U1>, <@U2> and <@U3>'],
  ['many more', people('U1', 'U2', 'U3', 'U4', 'U0INSTALLER'), 'administrators and 4 people'],
])('names who is let in besides administrators: %s', (_, rule, text) => {
  expect(billing({ who: rule.who, people: [...rule.people] })).toBe(text)
})
