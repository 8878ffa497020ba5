import type { types } from '@slack/bolt'
import { z } from 'zod'
import { joinWords } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { context, cut, escapeText, mrkdwn, section, sections } from '../../slack/blocks/blocks.ts'
import { MetadataModal, modal, noticeId } from '../../slack/blocks/inputs.ts'
import { textAnswer } from '../../slack/deliver/answer.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { scopedKey, type Tenant } from '../../store/tenant.ts'
import type { Invoice } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Milliseconds } from '../../util/units.ts'
import { failedInvoicesText } from './words.ts'

const title = 'Delete customer?'
const longestId = 100

const customerForm = 'billing.invoices.customer'
const confirmForm = new MetadataModal(
  'billing.invoices',
  z.object({ customerId: z.string().min(1).max(longestId) }),
)

/** One word, as far as anybody knows what ids look like. */
const isCustomerId = (written: string): boolean => /^\S+$/.test(written) && written.length <= longestId

const customerFormOf = (written: string) =>
  new Form({
    customer: text('Customer ID', {
      longest: longestId,
      initial: cut(written, longestId),
      hint: 'Nothing is sent yet: you confirm it next.',
    }).checked((id) => (isCustomerId(id) ? undefined : 'A customer ID is one word of up to 100 characters.')),
  })

/** Asks for the customer, where the command named none, or something that is no id. Pure. */
const customerModal = (team: Tenant, channel: string, written: string): types.ModalView =>
  modal({
    id: customerForm,
    origin: { team, channel },
    title,
    submit: 'Continue…',
    blocks: customerFormOf(written).inputs(),
  })

const confirmFormOf = (customer: string) =>
  new Form({
    again: text(`Type ${customer} to confirm`, {
      longest: longestId,
      hint: 'This request is sent only once. The audit log records that you did it.',
    }).checked((again) => (again === customer ? undefined : `This isn't ${customer}.`)),
  })

/** Asks for the customer's id once more, after saying what the service says that this does. Pure. */
const confirmModal = (team: Tenant, channel: string, customerId: string): types.ModalView =>
  confirmForm.view(
    { team, channel },
    { customerId },
    {
      title,
      submit: 'Delete customer',
      blocks: [
        {
          type: 'alert',
          level: 'error',
          text: mrkdwn(
            `The phone service documents this as permanently deleting customer ${escapeText(customerId)}. It also returns their invoices. This can't be undone.`,
          ),
        },
        ...confirmFormOf(customerId).inputs(),
      ],
    },
  )

const isLink = (url: string) =>
  URL.canParse(url) && /^https?:\/\/[^\s|<>]+$/.test(url) && escapeText(url).length <= 1000

function lineOf({ id, day, amount, status, url }: Invoice): string {
  const on = typeof day === 'string' ? dayLabel(day) : day.raw
  const link = isLink(url) ? ` · <${escapeText(url)}|Open>` : ''
  return `• ${escapeText([id, on, amount, status].map((text) => cut(text || '–', 60)).join(' · '))}${link}`
}

/** What the operation returned. */
function invoicesModal(customer: string, invoices: readonly Invoice[]): types.ModalView {
  const first = invoices.slice(0, 60)
  const count = `${invoices.length === 0 ? 'no' : invoices.length} invoice${invoices.length === 1 ? '' : 's'}`
  const done = `Done: the phone service carried it out for customer *${escapeText(customer)}* and returned ${count}.`
  return modal({
    id: noticeId,
    title: 'Invoices',
    blocks: [
      section(done),
      ...sections(first.map(lineOf)),
      ...(invoices.length > first.length ? [context(`First ${first.length} shown.`)] : []),
    ],
  })
}

const claimedForMs: Milliseconds = 30 * 24 * 60 * 60_000
const disabled =
  'Deleting customers is turned off here. Whoever runs Callboard can turn it on with `INVOICE_OPERATION=on`.'
const notice = (text: string) => noticeModal(text, { title })

/** `/billing invoices CUSTOMER-ID`: described by the service as deleting the customer, so it is sent once per confirmation. */
export function invoices({ config, store, workspaces, telephony, audit, now }: Services): FeatureRoutes {
  const command = { command: 'billing', word: 'invoices', moreWords: 'read', needs: 'admin' } as const
  if (!config.invoiceOperation)
    return { commands: [{ ...command, handle: async () => textAnswer(disabled) }] }
  /** By the view's id: a second submission of the same modal sees what the first one came to. */
  const results = new BoundedMap<Promise<types.ModalView>>({ max: 200, ttlMs: 10 * 60_000, now })

  async function run(interaction: Interaction, customerId: string, viewId: string): Promise<types.ModalView> {
    const { actor, tenant } = interaction
    const account = await workspaces.account(tenant)
    if (!(await store.claims.claim('invoices', scopedKey(tenant, viewId), claimedForMs)))
      return notice('This was already sent. The audit log says when and by whom.')
    // Noted before it is sent: whatever becomes of it, who did it is known.
    await audit.record(actor, 'invoice operation', { detail: `customer ${customerId}` })
    try {
      return invoicesModal(customerId, await telephony.invoices(account, customerId))
    } catch (error) {
      const text = failedInvoicesText(error, customerId)
      if (text === undefined) throw error
      return notice(text)
    }
  }

  return {
    commands: [
      {
        ...command,
        async openModal({ actor, channel }, words) {
          const written = joinWords(words)
          const modalOf = isCustomerId(written) ? confirmModal : customerModal
          return modalOf(actor.team, channel, written)
        },
      },
    ],
    submissions: [
      {
        view: customerForm,
        needs: 'admin',
        async handle({ actor, channel }, view) {
          const { values, errors } = customerFormOf('').read(view)
          if (!values) return { errors }
          return { view: confirmModal(actor.team, channel, values.customer) }
        },
      },
      {
        view: confirmForm.id,
        needs: 'admin',
        waiting: 'Deleting… the phone service is taking its time.',
        async handle(interaction, view) {
          const { customerId } = confirmForm.read(view)
          const { errors } = confirmFormOf(customerId).read(view)
          if (errors) return { errors }
          const running = results.get(view.id) ?? run(interaction, customerId, view.id)
          results.set(view.id, running)
          return { view: await running }
        },
      },
    ],
  }
}
