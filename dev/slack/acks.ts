import { z } from 'zod'
import { checkOptions } from './block-kit/index.ts'
import type { Core } from './core.ts'
import type { Channel, Team, User } from './directory.ts'
import type { Interaction, Outcome } from './interaction.ts'
import { messageBody, parseOptions, submissionAnswer, viewBody } from './shapes.ts'
import type { Answer } from './signing.ts'
import type { HeldView } from './stores.ts'

/** A command's acknowledgement may carry a message; nothing can replace it later. */
export function takeCommandAck(
  interaction: Interaction,
  answer: Answer,
  to: { team: Team; user: User; channel: Channel },
  core: Core,
): void {
  if (!succeeded(interaction, answer) || answer.text === '') return
  const body = answer.isJson ? answer.body : { text: answer.text }
  if (answer.isJson && isEmptyObject(body)) return
  // Slack tells nobody that it refused a message in an acknowledgement.
  const refusal = core.judgeMessage(body, 'acknowledgement')
  const parsed = messageBody.safeParse(body)
  if (refusal !== undefined || !parsed.success) {
    interaction.error = refusal?.error ?? 'invalid_payload'
    return
  }
  const onlyFor = parsed.data.response_type === 'in_channel' ? {} : { onlyFor: to.user.id }
  const where = { channel: to.channel.id, team: to.team, via: 'ack', ...onlyFor } as const
  interaction.messages.push(core.messages.show(parsed.data, where))
}

/** A click's acknowledgement may carry nothing: what is in it is dropped without a word. */
export function takeClickAck(interaction: Interaction, answer: Answer, core: Core): void {
  if (!succeeded(interaction, answer) || answer.text === '' || isEmptyObject(answer.body)) return
  interaction.dropped = answer.body
  core.dropped.push(answer.body)
}

export function takeSuggestions(interaction: Interaction, answer: Answer, core: Core): void {
  if (!succeeded(interaction, answer)) return
  const violations = checkOptions(answer.body)
  if (violations.length > 0) {
    interaction.error = core.breach(violations, 'block_suggestion', 'invalid_options', '').error
    return
  }
  interaction.options = parseOptions(answer.body)
}

/** https://docs.slack.dev/surfaces/modals#updating_response: errors, update, push, clear, or nothing to close. */
export function takeSubmissionAck(
  interaction: Interaction,
  answer: Answer,
  held: HeldView,
  core: Core,
): Outcome {
  if (!succeeded(interaction, answer)) return { action: 'failed', why: interaction.error ?? 'failed' }
  const where = 'view_submission'
  const parsed = submissionAnswer.safeParse(answer.text === '' ? {} : answer.body)
  const fail = (path: string, why: string): Outcome => {
    core.breach([{ path, rule: why }], where, 'invalid_answer', '')
    return { action: 'failed', why }
  }
  if (!parsed.success) return fail('', z.prettifyError(parsed.error))
  const { response_action: action, errors, view } = parsed.data
  const { id, rootId } = held.current
  if (action === 'errors') return takeErrors(errors ?? {}, held, fail)
  if (action === 'clear') {
    core.views.closeAll(rootId)
    return { action: 'cleared' }
  }
  if (action === undefined) {
    core.views.close(id)
    return { action: 'closed' }
  }
  const refusal = core.judgeView(view, where)
  if (refusal !== undefined) return { action: 'failed', why: refusal.messages.join('; ') }
  const next = viewBody.parse(view)
  if (next.type !== 'modal') return fail('/view/type', 'must be a modal')
  if (action === 'push' && core.views.stack(rootId).length >= 3) return fail('', 'push_limit_reached')
  const shown =
    action === 'update'
      ? core.views.update(held, next)
      : core.views.open(next, held.current.team, held.current.user, interaction, held.current)
  interaction.views.push(shown)
  return { action: action === 'update' ? 'updated' : 'pushed', view: shown }
}

/** Errors stand under input blocks of the very view that was submitted, by their block_id. */
function takeErrors(
  errors: Readonly<Record<string, string>>,
  held: HeldView,
  fail: (path: string, why: string) => Outcome,
): Outcome {
  const inputs = new Set(
    held.current.blocks.filter(({ type }) => type === 'input').map((one) => one.block_id),
  )
  const strange = Object.keys(errors).find((blockId) => !inputs.has(blockId))
  if (strange !== undefined)
    return fail(`/errors/${strange}`, 'must be the block_id of an input block of the view')
  if (Object.keys(errors).length === 0) return fail('/errors', 'must name at least one input block')
  return { action: 'errors', errors }
}

function succeeded(interaction: Interaction, { status }: Answer): boolean {
  if (status === 200) return true
  interaction.error = 'dispatch_failed'
  return false
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}
