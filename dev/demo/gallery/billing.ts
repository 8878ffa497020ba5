import { auditExportMessage, auditMessage, exportedText } from '../../../src/features/billing/audit-view.ts'
import { helpMessage } from '../../../src/features/billing/help.ts'
import { notMembersText, settingsModal } from '../../../src/features/billing/settings-form.ts'
import { savedModal, slow } from '../../../src/features/billing/settings-routes.ts'
import { billingMessage } from '../../../src/features/billing/view.ts'
import { splitWords } from '../../../src/grammar/words.ts'
import { fileRefusals } from '../../../src/slack/api/files.ts'
import { fileRefusal } from '../../../src/slack/deliver/failures.ts'
import type { AuditEntry } from '../../../src/store/audit.ts'
import type { AccessRecord, AccessRule } from '../../../src/store/workspaces.ts'
import type { Billing } from '../../../src/telephony/types.ts'
import { type FeatureSample, forBoth, message, modal, slowModals, text } from './sample.ts'
import { ada, ben, day, finance, inHours, nonce, now, support, team, today, zone } from './setting.ts'

/** What the account pays. */
export const terms: Billing = {
  callRoute: 'Premium',
  paymentMethod: 'Visa',
  maskedCard: '**** **** **** 4242',
  creditLimit: '$500.00',
  nextBillingDay: day('2026-11-29'),
  plan: { name: 'Team 10', price: '$49.00', agents: '10', storage: '5 GB', crm: '1' },
  addOns: {
    agents: { count: '4', each: '$9.50', total: '$38.00' },
    storage: { size: '20 GB', perGb: '$0.50', total: '$10.00' },
    crm: { count: '1', total: '$15.00' },
    numbers: [
      { number: '+49305550100', country: 'Germany', monthly: '$3.00' },
      { number: '+442079460123', country: 'United Kingdom', monthly: '$4.00' },
    ],
  },
  totalMonthly: '$119.00',
}
const unreadable: Billing = {
  ...terms,
  nextBillingDay: { raw: '29/11' },
  addOns: { ...terms.addOns, numbers: [], crm: { count: '1', total: 'on request' } },
}

const nothing = { count: '0', each: '$9.50', total: '$0.00' }
const planAlone: Billing = {
  ...terms,
  creditLimit: '$0.00',
  plan: { ...terms.plan, agents: '1', crm: '0' },
  addOns: {
    agents: nothing,
    storage: { size: '0 GB', perGb: '$0.50', total: '$0.00' },
    crm: nothing,
    numbers: [],
  },
  totalMonthly: '$49.00',
}
const member = { mayBill: true, isAdmin: false, hasInvoices: true }

const show = (billing: Billing, isAdmin: boolean) => billingMessage({ billing, today, isAdmin })

/** The newest first. */
export const entries: readonly AuditEntry[] = [
  { who: ada, what: 'post billing', detail: `channel ${finance}` },
  { who: ben, what: 'share', detail: `channel ${support}, 15 calls` },
  { who: ben, what: 'schedule', detail: `channel ${finance}, each billing date at 09:00` },
  { who: ada, what: 'may manage Callboard', detail: `person ${ben}` },
  {
    who: ada,
    what: 'settings',
    detail: 'calls everyone, recordings everyone, agents admins, billing 2 people',
  },
  { who: ada, what: 'reveal SIP password', detail: 'agent 1001', name: 'Anna Smith' },
  { who: ada, what: 'time zone', detail: `channel ${support}, Europe/Berlin` },
  { who: ada, what: 'connect' },
].map((entry, index) => ({ ...entry, at: inHours(-3 * index * index - 1).getTime() }))

const otherEntries: readonly AuditEntry[] = [
  { what: 'schedule changed', detail: `channel ${finance}, monthly on the 1st at 09:00` },
  { what: 'schedule paused', detail: `channel ${finance}, monthly on the 1st at 09:00` },
  { what: 'schedule paused', detail: `channel ${finance}, <#${finance}> is archived.` },
  { what: 'schedule resumed', detail: `channel ${finance}, monthly on the 1st at 09:00` },
  { what: 'schedule deleted', detail: `channel ${finance}, monthly on the 1st at 09:00` },
  { what: 'post billing', detail: `channel ${finance}, on schedule` },
  { what: 'billing post missed', detail: `channel ${finance}, planned for 5 Dec 09:00` },
  { what: 'may no longer manage Callboard', detail: `person ${ben}` },
  { what: 'invoice operation', detail: 'customer C-4101' },
  { what: 'export audit log', detail: '7 entries' },
  // As a version before wrote it.
  { what: 'reveal SIP password', detail: 'agent 1001' },
  { what: 'disconnect' },
].map((entry, index) => ({ ...entry, who: ada, at: inHours(-index - 1).getTime() }))

/** One more than a page shows. */
const manyEntries = Array.from({ length: 26 }, () => entries)
  .flat()
  .slice(0, 26)
const auditAt = (page: number) => ({ page, zone, now, nonce })

const everyone: AccessRule = { who: 'everyone', people: [] }
const rules: AccessRecord = {
  calls: everyone,
  recordings: { who: 'admins', people: [] },
  agents: everyone,
  billing: { who: 'people', people: [ada, ben] },
  exports: 'admins',
  administrators: [],
}

export const billing: readonly FeatureSample[] = [
  ...forBoth('Billing', (name, isAdmin) => message(name, show(terms, isAdmin))),
  message('A total that is more than its items', show({ ...terms, totalMonthly: '$121.50' }, false)),
  message('A total that is less than its items', show({ ...terms, totalMonthly: '$114.00' }, false)),
  message('A plan and nothing else', show(planAlone, false)),
  message('Amounts that can not be read', show(unreadable, false)),
  message('Billed today', show({ ...terms, nextBillingDay: today }, false)),
  message('Help, to an administrator', helpMessage({ mayBill: true, isAdmin: true, hasInvoices: true })),
  message('Help, to a member who sees billing', helpMessage(member)),
  message('Help, to a member who does not', helpMessage({ ...member, mayBill: false })),
  message("Words that Callboard doesn't know", helpMessage(member, splitWords('everything'))),
  message('A slip of the keyboard', helpMessage(member, splitWords('psot <#C0FINANCE|finance>'))),
  modal('Access', settingsModal(team, support, rules, { hasSlackRoles: true })),
  modal(
    'Access, without selected people',
    settingsModal(team, support, { ...rules, billing: everyone }, { hasSlackRoles: true }),
  ),
  modal(
    'Access, in an organisation',
    settingsModal(team, support, { ...rules, administrators: [ben] }, { hasSlackRoles: false }),
  ),
  modal('Access, people who are refused', settingsModal(team, support, rules, { hasSlackRoles: true }), {
    'billing.people': notMembersText(['Gus', 'Robot']),
    administrators: notMembersText(['Gus']),
  }),
  modal('Access, saved', savedModal),
  ...slowModals('Access, being saved', slow),
  message('Audit log', auditMessage(entries, auditAt(1))),
  message('Audit log, the rest of what it holds', auditMessage(otherEntries, auditAt(1))),
  message('Audit log, one page of several', auditMessage(manyEntries, auditAt(2))),
  message('Audit log, beyond its end', auditMessage([], auditAt(9))),
  message('Audit log, empty', auditMessage([], auditAt(1))),
  message('Audit log, above its file', auditExportMessage(entries, zone, now)),
  text('Audit log, sent as a file', exportedText(entries.length)),
  ...fileRefusals.map((code) =>
    text(
      `A file that Slack refuses: ${code}`,
      fileRefusal(code, 'https://callboard.example.com/slack/install'),
    ),
  ),
  text("A file that Slack refuses, with one workspace's token", fileRefusal('missing_scope', undefined)),
]
