import type { types } from '@slack/bolt'
import { z } from 'zod'
import { joinWords } from '../../grammar/parse-words.ts'
import type { Services } from '../../services.ts'
import { modal, modalWithMetadata, noticeId, readMetadata } from '../../slack/blocks/action.ts'
import { context, cut, escapeText, mrkdwn, section, sections } from '../../slack/blocks/blocks.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { textAnswer } from '../../slack/deliver/replies.ts'
import { Form, text } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type {
  CommandRoute,
  FeatureRoutes,
  Interaction,
  SubmissionResult,
} from '../../slack/routing/routes.ts'
import { scopedKey, type Tenant } from '../../store/tenant.ts'
import { ServiceUnavailableError, TelephonyError } from '../../telephony/types.ts'
import type { Invoice } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'

const modalTitle = 'Delete customer?'
const MAX_ID_LENGTH = 100

const confirmForm = 'billing.invoices'
const confirmMetadataSchema = z.object({ customerId: z.string().min(1).max(MAX_ID_LENGTH) })

const createConfirmForm = (customer: string) =>
  new Form({
    again: text(`Type ${customer} to confirm`, {
      maxLength: MAX_ID_LENGTH,
      hint: 'This request is sent only once. The audit log records that you did it.',
    }).checked((again) => (again === customer ? undefined : `This isn't ${customer}.`)),
  })

/** States what the operation does, and asks for the customer's id once more. */
const confirmModal = (team: Tenant, channel: string, customerId: string): types.ModalView =>
  modalWithMetadata(confirmMetadataSchema, {
    id: confirmForm,
    origin: { team, channel },
    metadata: { customerId },
    title: modalTitle,
    submit: 'Delete customer',
    blocks: [
      {
        type: 'alert',
        level: 'error',
        text: mrkdwn(
          `This permanently deletes customer ${escapeText(customerId)} at the phone service and shows their invoices one last time. It can't be undone.`,
        ),
      },
      ...createConfirmForm(customerId).inputs(),
    ],
  })

const isLink = (url: string) =>
  URL.canParse(url) && /^https?:\/\/[^\s|<>]+$/.test(url) && escapeText(url).length <= 1000

function formatInvoice({ id, day, amount, status, url }: Invoice): string {
  const on = typeof day === 'string' ? dayLabel(day) : day.raw
  const link = isLink(url) ? ` · <${escapeText(url)}|Open>` : ''
  return `• ${escapeText([id, on, amount, status].map((text) => cut(text || '–', 60)).join(' · '))}${link}`
}

function deletedModal(customer: string, invoices: readonly Invoice[]): types.ModalView {
  const first = invoices.slice(0, 60)
  const done = `Customer *${escapeText(customer)}* deleted.`
  const count = `${invoices.length} invoice${invoices.length === 1 ? '' : 's'}:`
  return modal({
    id: noticeId,
    title: 'Customer deleted',
    blocks: [
      section(invoices.length === 0 ? `${done} There are no invoices.` : `${done} ${count}`),
      ...sections(first.map(formatInvoice)),
      ...(invoices.length > first.length ? [context(`First ${first.length} shown.`)] : []),
    ],
  })
}

/** Says as mrkdwn whether the customer may have been deleted; `undefined` for errors that don't tell. */
function describeFailedDeletion(error: unknown, customerId: string): string | undefined {
  if (!(error instanceof TelephonyError)) return undefined
  const customer = `customer *${escapeText(customerId)}*`
  if (error instanceof ServiceUnavailableError && error.sent)
    return `The answer was lost, so the deletion of ${customer} *may have been carried out*. It isn't tried again. Check with your phone provider before you try once more.`
  return `${describeFailure(error).pauseText} Nothing was done for ${customer}.`
}

const DELETION_CLAIM_TTL_MS: Milliseconds = 30 * dayMs
const disabledText =
  'Deleting customers is turned off. The operator of Callboard can turn it on with `INVOICE_OPERATION=on`.'
const usageText = 'Add the ID of one customer: `/billing delete-customer CUSTOMER-ID`. You confirm it first.'
const invoicesText =
  "The phone service has no list of invoices: it returns a customer's invoices only while deleting that customer (`/billing delete-customer CUSTOMER-ID`)."

const notice = (text: string) => noticeModal(text, { title: modalTitle })

/** `/billing delete-customer CUSTOMER-ID`: the service's invoice operation, sent once per confirmation and never retried. */
export function customerDeletion({ config, workspaces, store, audit, telephony }: Services): FeatureRoutes {
  async function confirm(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { customerId } = readMetadata(view, confirmMetadataSchema)
    const { errors } = createConfirmForm(customerId).read(view)
    return errors ? { errors } : { view: await deleteCustomer(interaction, customerId, view.id) }
  }

  async function deleteCustomer({ actor, tenant }: Interaction, customerId: string, viewId: string) {
    const account = await workspaces.account(tenant)
    if (!(await store.claim('invoices', scopedKey(tenant, viewId), DELETION_CLAIM_TTL_MS)))
      return notice('This was already sent. The audit log says when and by whom.')
    // Recorded before sending, so that the audit log has it even if the outcome is unknown.
    await audit.record(actor, 'invoice operation', { detail: `customer ${customerId}` })
    try {
      return deletedModal(customerId, await telephony.invoices(account, customerId))
    } catch (error) {
      const text = describeFailedDeletion(error, customerId)
      if (text === undefined) throw error
      return notice(text)
    }
  }

  const command = { command: 'billing', word: 'delete-customer', moreWords: 'read', needs: 'admin' } as const
  const explanation: CommandRoute = {
    ...command,
    word: 'invoices',
    needs: 'billing',
    handle: async () => textAnswer(invoicesText),
  }
  if (!config.invoiceOperation)
    return { commands: [{ ...command, handle: async () => textAnswer(disabledText) }, explanation] }
  return {
    commands: [
      {
        ...command,
        async openModal({ actor, channel }, words) {
          const written = joinWords(words)
          // The service documents no format beyond what its examples show: one word.
          const isCustomerId = /^\S+$/.test(written) && written.length <= MAX_ID_LENGTH
          return isCustomerId ? confirmModal(actor.team, channel, written) : textAnswer(usageText)
        },
      },
      explanation,
    ],
    submissions: [{ view: confirmForm, needs: 'admin', waiting: 'Still deleting…', handle: confirm }],
  }
}
