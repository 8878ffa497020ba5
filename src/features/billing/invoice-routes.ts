import type { types } from '@slack/bolt'
import type { Audit } from '../../slack/access/audit.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { update } from '../../slack/answers/submissions.ts'
import { escapeText, section } from '../../slack/blocks/blocks.ts'
import type { CommandRoute, Interaction, SubmissionRoute } from '../../slack/routing/routes.ts'
import type { Store } from '../../store/store.ts'
import { scopedKey } from '../../store/tenant.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
} from '../../telephony/errors.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { confirmModal, INVOICES_VIEW, invoicesModal, readConfirm } from './invoice-modal.ts'

export interface InvoiceDeps {
  readonly store: Store
  readonly workspace: Workspace
  readonly telephony: TelephonyClient
  readonly audit: Audit
  /** INVOICE_OPERATION: whether the operator allows it at all. */
  readonly invoiceOperation: boolean
  /** Epoch ms. */
  readonly now: () => number
}

const claimedForMs = 30 * 24 * 60 * 60_000
const title = 'Invoice operation'
const off =
  'The invoice operation is switched off here. Whoever runs Callboard can switch it on with `INVOICE_OPERATION=on`.'
const usage = 'Write the customer too: `/billing invoices CUSTOMER-ID`. You are asked to confirm it then.'

/** What became of it, in words: above all whether it may have been carried out. */
function failure(error: unknown, customerId: string): string | undefined {
  const customer = `customer *${escapeText(customerId)}*`
  if (error instanceof CredentialsRejectedError) {
    return `The telephony service no longer accepts the key and secret, so nothing was done for ${customer}.`
  }
  if (error instanceof RequestRefusedError)
    return `The telephony service refused ${customer}. Nothing was done.`
  if (error instanceof RateLimitedError) {
    return `The telephony service asks us to wait, so nothing was done for ${customer}. Try again later.`
  }
  if (!(error instanceof ServiceUnavailableError)) return undefined
  return error.sent
    ? `The answer was lost, so the operation *may have been carried out* for ${customer}. It is not tried again. Look with your telephony provider before you run it once more.`
    : `The telephony service could not be reached. Nothing was sent for ${customer}; please try again.`
}

/** `/billing invoices CUSTOMER-ID`: described by the service as deleting the customer, so it is sent once per confirmation. */
export function invoiceRoutes(deps: InvoiceDeps): {
  commands: readonly CommandRoute[]
  submissions: readonly SubmissionRoute[]
} {
  const { store, workspace, telephony, audit } = deps
  const command = { command: 'billing', word: 'invoices', needs: 'admin' } as const
  if (!deps.invoiceOperation) {
    const message = { text: off, blocks: [section(off)] }
    return { commands: [{ ...command, handle: async () => ({ message }) }], submissions: [] }
  }
  /** By the view's id: a second submission of the same modal sees what the first one came to. */
  const results = new BoundedMap<Promise<types.ModalView>>({ max: 200, ttlMs: 10 * 60_000, now: deps.now })

  async function run(interaction: Interaction, customerId: string, viewId: string): Promise<types.ModalView> {
    const { tenant } = interaction
    const account = await workspace.account(tenant)
    if (!(await store.claims.claim('invoices', scopedKey(tenant, viewId), claimedForMs))) {
      return noticeModal('This was run already, once. The audit log (`/billing audit`) says when.', { title })
    }
    // Noted before it is sent: whatever becomes of it, who did it is known.
    await audit.record(interaction, 'invoice operation', `customer ${customerId}`)
    try {
      return invoicesModal(customerId, await telephony.invoices(account, customerId))
    } catch (error) {
      const text = failure(error, customerId)
      if (text === undefined) throw error
      return noticeModal(text, { title })
    }
  }

  return {
    commands: [
      {
        ...command,
        async openModal({ channel, visitor }, words) {
          const customerId = words.map(({ written }) => written).join(' ')
          const isId = words.length === 1 && customerId.length <= 100
          return {
            modal: isId ? confirmModal(visitor.teamOf, channel, customerId) : noticeModal(usage, { title }),
          }
        },
      },
    ],
    submissions: [
      {
        view: INVOICES_VIEW,
        needs: 'admin',
        async handle(interaction, view, { ack, slowly }) {
          const { customerId, isConfirmed } = readConfirm(view)
          if (!isConfirmed) {
            return ack({
              response_action: 'errors',
              errors: { again: `This is not ${customerId}.`.slice(0, 200) },
            })
          }
          const running = results.get(view.id) ?? run(interaction, customerId, view.id)
          results.set(view.id, running)
          await slowly({
            work: running,
            inTime: update,
            waiting: noticeModal('Running… the telephony service takes its time.', { title }),
            view: (result) => result,
            failed: {
              note: 'the invoice operation failed',
              view: noticeModal('Something went wrong on our side. The audit log says whether it was sent.', {
                title,
              }),
            },
          })
        },
      },
    ],
  }
}
