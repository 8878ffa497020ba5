import { z } from 'zod'
import { checkOptions } from '../block-kit/index.ts'
import type { Core } from '../core.ts'
import type { Channel, Team, User } from '../directory.ts'
import { messageBody, parseOptions, submissionResponse, viewBody } from '../shapes.ts'
import type { OpenView } from '../views.ts'
import type { AppResponse } from './app-client.ts'
import type { Exchange, SubmissionResult } from './exchange.ts'

// Slack's handling of the app's response to each type of request.

/** A command's acknowledgement may carry a message; nothing can replace it later. */
export function takeCommandAck(
  exchange: Exchange,
  response: AppResponse,
  { team, user, channel }: { team: Team; user: User; channel: Channel },
  core: Core,
): void {
  if (!succeeded(exchange, response) || response.text === '') return
  const body = response.isJson ? response.body : { text: response.text }
  if (response.isJson && isEmptyObject(body)) return
  // Slack doesn't report that it refused a message in an acknowledgement.
  const refusal = core.checkMessage(body, 'acknowledgement')
  const parsed = messageBody.safeParse(body)
  if (refusal !== undefined || !parsed.success) {
    exchange.error = refusal?.error ?? 'invalid_payload'
    return
  }
  const onlyFor = parsed.data.response_type === 'in_channel' ? {} : { onlyFor: user.id }
  exchange.messages.push(
    core.messages.post(parsed.data, { channel: channel.id, team, via: 'ack', ...onlyFor }),
  )
}

/** Slack silently drops the content of a click's acknowledgement. */
export function takeClickAck(exchange: Exchange, response: AppResponse, core: Core): void {
  if (!succeeded(exchange, response) || response.text === '' || isEmptyObject(response.body)) return
  exchange.dropped = response.body
  core.dropped.push(response.body)
}

export function takeSuggestions(exchange: Exchange, response: AppResponse, core: Core): void {
  if (!succeeded(exchange, response)) return
  const violations = checkOptions(response.body)
  if (violations.length > 0) {
    exchange.error = core.refuse(violations, 'block_suggestion', 'invalid_options').error
    return
  }
  exchange.options = parseOptions(response.body)
}

/** https://docs.slack.dev/surfaces/modals#updating_response: errors, an update, or an empty body that closes the modal. */
export function takeSubmissionAck(
  exchange: Exchange,
  response: AppResponse,
  open: OpenView,
  core: Core,
): SubmissionResult {
  if (!succeeded(exchange, response)) return { action: 'failed', reason: exchange.error ?? 'failed' }
  const where = 'view_submission'
  const parsed = submissionResponse.safeParse(response.text === '' ? {} : response.body)
  const fail = (path: string, rule: string): SubmissionResult => {
    core.refuse([{ path, rule }], where, 'invalid_answer')
    return { action: 'failed', reason: rule }
  }
  if (!parsed.success) return fail('', z.prettifyError(parsed.error))
  const { response_action: action, errors, view } = parsed.data
  if (action === 'errors') return takeErrors(errors ?? {}, open, fail)
  if (action === undefined) {
    core.views.close(open.current.id)
    return { action: 'closed' }
  }
  const refusal = core.checkView(view, where)
  if (refusal !== undefined) return { action: 'failed', reason: refusal.messages.join('; ') }
  const body = viewBody.parse(view)
  if (body.type !== 'modal') return fail('/view/type', 'must be a modal')
  const next = core.views.update(open, body)
  exchange.views.push(next)
  return { action: 'updated', view: next }
}

/** Errors are shown under input blocks of the submitted view, by block_id. */
function takeErrors(
  errors: Readonly<Record<string, string>>,
  { current }: OpenView,
  fail: (path: string, rule: string) => SubmissionResult,
): SubmissionResult {
  const isInput = (blockId: string) =>
    current.blocks.some(({ type, block_id }) => type === 'input' && block_id === blockId)
  const strange = Object.keys(errors).find((blockId) => !isInput(blockId))
  if (strange !== undefined)
    return fail(`/errors/${strange}`, 'must be the block_id of an input block of the view')
  if (Object.keys(errors).length === 0) return fail('/errors', 'must name at least one input block')
  return { action: 'errors', errors }
}

function succeeded(exchange: Exchange, { status }: AppResponse): boolean {
  if (status === 200) return true
  exchange.error = 'dispatch_failed'
  return false
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}
