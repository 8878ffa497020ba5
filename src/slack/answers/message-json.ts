import type { Tenant } from '../../store/tenant.ts'
import { LIMITS, type Message } from '../blocks/blocks.ts'
import { withTeam } from '../blocks/message-team.ts'
import type { MessageForms } from './answer.ts'

/** The message with its workspace, in each of its forms, the longest first. */
function* formsOf({ message, shorter = [] }: MessageForms, team: Tenant): Generator<Message, void> {
  yield withTeam(message, team)
  for (const form of shorter) yield withTeam(form(), team)
}

const fits = (json: string) => Buffer.byteLength(json) <= LIMITS.messageBytes

/**
 * A message as it is sent, with its workspace: in its first form that Slack takes for its size, or its text alone. No
 * acknowledgement tells that one was too long. The JSON is what is sent: writing it twice would cost 40 µs.
 * @param envelope what is to become of it, such as `response_type`
 */
export function jsonOf(forms: MessageForms, team: Tenant, envelope: object): string {
  for (const form of formsOf(forms, team)) {
    const json = JSON.stringify({ ...form, ...envelope })
    if (fits(json)) return json
  }
  return JSON.stringify({ text: forms.message.text, ...envelope })
}

/** The same for what the Web API's client makes JSON of. */
export const messageOf = (forms: MessageForms, team: Tenant): Message =>
  formsOf(forms, team).find((form) => fits(JSON.stringify(form))) ?? { text: forms.message.text }
