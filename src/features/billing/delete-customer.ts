import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { messageModalId, modal, modalWithMetadata, readMetadata } from '../../slack/blocks/modal.ts'
import { type Reply, textAnswer } from '../../slack/deliver/answers.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type * as routing from '../../slack/routing/routes.ts'
import { joinWords } from '../../slack/routing/words.ts'
import { scopedKey } from '../../store/tenant.ts'
import { formatOrRaw, TelephonyError } from '../../telephony/types.ts'
import type { Invoice } from '../../telephony/wire.ts'
import { dayLabel } from '../../time/days.ts'
import { countNoun, isExactLink } from '../../util/text.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'

const DELETION_TITLE = 'Delete customer?'
const MAX_ID_LENGTH = 100
const MAX_INVOICES_SHOWN = 60
const MAX_LINK_LENGTH = 1000
const DELETION_CLAIM_TTL_MS: Milliseconds = 30 * dayMs

const CONFIRM_VIEW_ID = 'billing.invoices'
const confirmMetadataSchema = z.object({ customerId: z.string() })

const createConfirmForm = (customer: string) =>
  new Form({
    again: text(`Type ${customer} to confirm`, {
      maxLength: MAX_ID_LENGTH,
      hint: 'This request is sent only once. The audit log records that you did it.',
      validate: (typed) => (typed === customer ? undefined : `This isn't ${customer}.`),
    }),
  })

function confirmModal({ actor, channel }: routing.Interaction, customerId: string): types.ModalView {
  const warning = `This permanently deletes customer ${blocks.escapeText(customerId)} at the phone service and shows their invoices one last time. It can't be undone.`
  return modalWithMetadata(confirmMetadataSchema, {
    id: CONFIRM_VIEW_ID,
    origin: { workspace: actor.workspace, channel },
    metadata: { customerId },
    title: DELETION_TITLE,
    submit: 'Delete customer',
    blocks: [
      { type: 'alert', level: 'error', text: blocks.mrkdwn(warning) },
      ...createConfirmForm(customerId).buildInputs(),
    ],
  })
}

function formatInvoice({ id, day, amount, status, url }: Invoice): string {
  const facts = [id, formatOrRaw(day, dayLabel), amount, status]
  const label = blocks.escapeText(facts.map((fact) => blocks.cut(fact || '–', 60)).join(' · '))
  const link = blocks.escapeText(url)
  const isLink = isExactLink(url) && !/[|<>]/.test(url) && link.length <= MAX_LINK_LENGTH
  return isLink ? `• ${label} · <${link}|Open>` : `• ${label}`
}

function deletedModal(customerId: string, invoices: readonly Invoice[]): types.ModalView {
  const shown = invoices.slice(0, MAX_INVOICES_SHOWN)
  const count = countNoun(invoices.length, 'invoice')
  const limitText = invoices.length > shown.length ? `, the first ${shown.length}` : ''
  const summary = invoices.length === 0 ? 'There are no invoices.' : `${count}${limitText}:`
  const title = blocks.section(`Customer *${blocks.escapeText(customerId)}* deleted. ${summary}`)
  const list = blocks.sections(shown.map(formatInvoice))
  return modal({ id: messageModalId, title: 'Customer deleted', blocks: [title, ...list] })
}

/** Returns mrkdwn. */
function describeFailedDeletion(error: TelephonyError, customerId: string): string {
  const customer = `customer *${blocks.escapeText(customerId)}*`
  if (error.sent)
    return `The answer was lost, so the deletion of ${customer} *may have been carried out*. It isn't tried again. Check with your phone provider before you try once more.`
  return `${describeFailure(error).why} Nothing was done for ${customer}.`
}

const disabledText =
  'Deleting customers is turned off. The operator of Callboard can turn it on with `INVOICE_OPERATION=on`.'
const usageText = 'Add the ID of one customer: `/billing delete-customer CUSTOMER-ID`. You confirm it first.'

const noticeModal = (text: string) => messageModal(text, { title: DELETION_TITLE })

async function openConfirmation({ interaction, words }: routing.CommandRequest): Promise<Reply> {
  const customerId = joinWords(words)
  // The service documents no format beyond what its examples show: one word.
  const isOneWord = /^\S+$/.test(customerId) && customerId.length <= MAX_ID_LENGTH
  if (isOneWord) return confirmModal(interaction, customerId)
  return textAnswer(usageText)
}

/** The service's invoice operation deletes a customer, so it is sent once per confirmation and never retried. */
async function deleteCustomer(services: Services, { interaction, view }: routing.SubmissionRequest) {
  const { workspaces, store, audit, telephony } = services
  const { actor, tenant } = interaction
  const { customerId } = readMetadata(view, confirmMetadataSchema)
  const { errors } = createConfirmForm(customerId).read(view)
  if (errors) return { errors }
  const account = await workspaces.getAccount(tenant)
  const isFirst = await store.claim('invoices', scopedKey(tenant, view.id), DELETION_CLAIM_TTL_MS)
  if (!isFirst) return { view: noticeModal('This was already sent. The audit log says when and by whom.') }
  // Recorded before sending, so that the audit log has it even if the outcome is unknown.
  await audit.record(actor, `asked the phone service to delete customer ${customerId}`)
  try {
    const invoices = await telephony.invoices(account, customerId)
    return { view: deletedModal(customerId, invoices) }
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error
    return { view: noticeModal(describeFailedDeletion(error, customerId)) }
  }
}

export function customerDeletion(services: Services): routing.FeatureRoutes {
  const command = {
    command: 'billing',
    word: 'delete-customer',
    moreWords: 'read',
    needs: 'admin',
    opensModal: true,
  } as const
  if (!services.config.invoiceOperation)
    return { commands: [{ ...command, handle: async () => textAnswer(disabledText) }] }
  return {
    commands: [{ ...command, handle: openConfirmation }],
    submissions: [
      { view: CONFIRM_VIEW_ID, needs: 'admin', handle: (request) => deleteCustomer(services, request) },
    ],
  }
}
