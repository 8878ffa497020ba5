import type { Answer } from '../../src/slack/deliver/answers.ts'
import { Delivery } from '../../src/slack/deliver/delivery.ts'
import type { Workspace } from '../../src/store/tenant.ts'

/** Returns the forms of an answer that are sent while Slack refuses blocks; the last one is the text alone. */
export async function sentVariants(answer: Answer, team: Workspace) {
  const delivery = new Delivery({ log: { error() {} }, now: () => 0 })
  const sent: string[] = []
  const envelope = { response_type: 'ephemeral', replace_original: true }
  const refuse = async ({ json }: { readonly json: Buffer }) => {
    sent.push(json.toString())
    return { kind: 'refused', code: 'invalid_blocks' } as const
  }
  await delivery.send(answer, team, refuse, envelope)
  return sent.map((json) => JSON.parse(json))
}
