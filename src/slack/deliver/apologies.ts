import type { types } from '@slack/bolt'
import * as blocks from '../blocks/blocks.ts'
import { commandButton, connectButton, replaceKeyButton } from '../blocks/buttons.ts'
import type { ActionPayload } from '../inbound/payloads.ts'
import type { Exchange } from './exchange.ts'
import { describeFailure, type Failure, type FailureKind, supportLink } from './failures.ts'

/** Shown with the apology if a request fails. */
export interface Offers {
  readonly retry?: Exchange['retry']
  /** Offered if the service refused the request. */
  readonly filter?: types.Button
  /** Shown if the service refuses the request: `missed calls, 9–15 Nov`. Not escaped. */
  readonly request?: string
}

class ErrorWithOffers extends Error {
  override readonly name = 'ErrorWithOffers'
  readonly offers

  constructor(offers: Offers, cause: unknown) {
    super('a request failed', { cause })
    this.offers = offers
  }
}

/**
 * Adds to an error what its apology offers. If calls are nested, the innermost one's offers count.
 * @param makeOffers called only if `work` fails, because buttons and texts of a list take 3 % of a command
 * @throws {ErrorWithOffers}
 */
export async function offerOnFailure<T>(makeOffers: () => Offers, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new ErrorWithOffers({ ...makeOffers(), ...getOffers(error) }, withoutOffers(error))
  }
}

const getOffers = (error: unknown): Offers => (error instanceof ErrorWithOffers ? error.offers : {})

/** For an apology that shows no buttons and quotes no request. */
export const withoutOffers = (error: unknown): unknown =>
  error instanceof ErrorWithOffers ? error.cause : error

/** Returns the button or menu entry that was clicked, to offer it again. */
export function offerAgain(clicked: ActionPayload): types.ActionsBlock | undefined {
  const { type, action_id, block_id, text, value, selected_option: selected } = clicked
  if (type === 'button' && text) {
    const button = blocks.button(action_id, text.text, value)
    return { type: 'actions', block_id, elements: [button] }
  }
  const isMenu = type === 'overflow' || type === 'static_select'
  if (!isMenu || !selected?.text) return undefined
  const options = [blocks.option(selected.text.text, selected.value)]
  return { type: 'actions', block_id, elements: [{ type, action_id, options }] }
}

/** Returns a button, or the row that offers the last click again. */
function findWayOut(offer: Failure['offer'], { retry, filter }: Offers): Offers['retry'] {
  if (offer === undefined) return undefined
  if (offer === 'retry') return retry
  if (offer === 'connect') return connectButton
  if (offer === 'replace-key') return replaceKeyButton
  if (offer === 'filter' && filter) return filter
  // For `help`, and for `filter` where nothing can be filtered.
  return commandButton('help', 'Help', '/callboard help')
}

export function createApology(
  error: unknown,
  { actor, reference, retry }: Pick<Exchange, 'actor' | 'reference' | 'retry'>,
  supportUrl: string | undefined,
): { readonly kind: FailureKind; readonly message: blocks.Message; readonly cause: unknown } {
  const offers: Offers = { retry, ...getOffers(error) }
  const cause = withoutOffers(error)
  const isAdmin = actor?.person.isAdmin ?? false
  const failure = describeFailure(cause, { isAdmin, request: offers.request, reference, supportUrl })
  const { kind, text } = failure
  // If the person wasn't admitted, every button would fail alike.
  const wayOut = actor && findWayOut(failure.offer, offers)
  const shownBlocks: blocks.MessageBlock[] = [blocks.section(text)]
  if (wayOut?.type === 'actions') shownBlocks.push(wayOut)
  else if (wayOut) shownBlocks.push(...blocks.actionRow([wayOut]))
  // Permanent failures explain themselves, except refusals. The reference helps to find the others in the log.
  const mayNeedSupport = !failure.isPermanent || kind === 'refused' || kind === 'slack-refused'
  if (mayNeedSupport && !text.includes(reference)) {
    const support = supportUrl === undefined ? '' : ` · ${supportLink(supportUrl, 'Support')}`
    shownBlocks.push(blocks.context(`Ref ${blocks.escapeText(reference)}${support}`))
  }
  return { kind, message: { text, blocks: shownBlocks }, cause }
}
