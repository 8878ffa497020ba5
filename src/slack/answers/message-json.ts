import type { Tenant } from '../../store/tenant.ts'
import { LIMITS } from '../blocks/blocks.ts'
import { withTeam } from '../blocks/message-team.ts'
import type { MessageForms } from './answer.ts'

/**
 * A message as it is sent, with its workspace: in its first form that Slack takes for its size, or its text alone. No
 * acknowledgement tells that one was too long. The JSON is what is sent: writing it twice would cost 40 µs.
 * @param envelope what is to become of it, such as `response_type`
 */
export function jsonOf({ message, shorter = [] }: MessageForms, team: Tenant, envelope: object): string {
  for (const form of [() => message, ...shorter]) {
    const json = JSON.stringify({ ...withTeam(form(), team), ...envelope })
    if (Buffer.byteLength(json) <= LIMITS.messageBytes) return json
  }
  return JSON.stringify({ text: message.text, ...envelope })
}
