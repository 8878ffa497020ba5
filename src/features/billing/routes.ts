import type { Access } from '../../slack/access/access-rules.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import type { Answer } from '../../slack/answers/table-support.ts'
import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { FeatureRoutes, Interaction, Modal } from '../../slack/routing/routes.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { type ScheduleDeps, scheduleRoutes } from '../schedules/routes.ts'
import { auditMessage } from './audit-view.ts'
import { type InvoiceDeps, invoiceRoutes } from './invoice-routes.ts'
import { type PostDeps, postRoutes } from './post-routes.ts'
import { readSettings, SETTINGS_VIEW, settingsModal, settingsText } from './settings-modal.ts'
import { billingMessage } from './view.ts'

export interface BillingDeps extends PostDeps, InvoiceDeps, Omit<ScheduleDeps, 'schedules'> {
  readonly access: Access
}

const usage = [
  '`/billing` – plan, add-ons, payment, next date and total',
  '`/billing post [#channel]` – shows you what would be posted, and then posts it',
  '`/billing schedule` – a post on each billing date, each month or each week; `/billing schedules` lists them',
  '`/billing invoices CUSTOMER-ID` – the invoice operation, behind a confirmation (admins)',
  '`/billing settings` – who may see calls, agents and billing (admins)',
  '`/billing audit` – who did what (admins)',
]

function helpMessage(unknown?: readonly Word[]): Message {
  const wrong = unknown?.map(({ written }) => `"${written}"`).join(', ')
  const text =
    wrong === undefined
      ? "Shows the account's billing."
      : `Nothing was looked up: ${wrong} is not understood.`
  return {
    text: escapeText(text),
    blocks: [
      ...(wrong === undefined ? [header('Billing')] : []),
      section(escapeText(text)),
      section(usage.join('\n')),
      context('Answers are visible to you alone.'),
    ],
  }
}

export function billingRoutes(deps: BillingDeps): FeatureRoutes {
  const { store, workspace, telephony, access, audit, now } = deps
  const posts = postRoutes(deps)
  const invoices = invoiceRoutes(deps)
  const scheduled = scheduleRoutes({ ...deps, schedules: store.schedules })

  async function show({ tenant, channel, visitor, offerRetry }: Interaction): Promise<Answer> {
    offerRetry({ retry: { actionId: 'billing.refresh', value: 'refresh' }, asked: 'the billing details' })
    const [account, { zone }] = await Promise.all([
      workspace.account(tenant),
      workspace.zone(tenant, channel, visitor.person),
    ])
    const billing = await telephony.billing(account)
    const at = new Date(now())
    const { isAdmin } = visitor.person
    return {
      message: billingMessage({
        billing,
        today: localDay(zone, at),
        zoneLabel: zoneLabel(zone, at),
        isAdmin,
      }),
    }
  }

  async function openSettings({ tenant, channel, visitor }: Interaction): Promise<Modal> {
    return { modal: settingsModal(visitor.teamOf, channel, await access.rules(tenant)) }
  }

  return {
    commands: [
      ...posts.commands,
      ...scheduled.commands,
      ...invoices.commands,
      { command: 'billing', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      { command: 'billing', word: 'settings', needs: 'admin', openModal: openSettings },
      {
        command: 'billing',
        word: 'audit',
        needs: 'admin',
        async handle({ tenant, channel, visitor }) {
          const { zone } = await workspace.zone(tenant, channel, visitor.person)
          return { message: auditMessage(await store.audit.latest(tenant), zone, new Date(now())) }
        },
      },
      {
        command: 'billing',
        needs: 'billing',
        handle: async (interaction, words) =>
          words.length > 0 ? { message: helpMessage(words) } : show(interaction),
      },
    ],
    actions: [
      ...posts.actions,
      ...scheduled.actions,
      { action: 'billing.refresh', needs: 'billing', handle: show },
      { action: 'billing.settings', needs: 'admin', openModal: openSettings },
    ],
    submissions: [
      ...scheduled.submissions,
      ...invoices.submissions,
      {
        view: SETTINGS_VIEW,
        needs: 'admin',
        async handle(interaction, view, { ack }) {
          const read = readSettings(view)
          if ('errors' in read) return ack({ response_action: 'errors', errors: read.errors })
          await store.access.set(read.rules, interaction.tenant)
          await audit.record(interaction, 'settings', settingsText(read.rules))
          const text = 'Saved. It holds at once.'
          return ack({ response_action: 'update', view: noticeModal(text, { title: 'Who may see what' }) })
        },
      },
    ],
  }
}
