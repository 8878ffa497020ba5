import type { App } from '@slack/bolt'
import { matchesAction } from '../blocks/action-ids.ts'
import type { Option } from '../blocks/inputs.ts'
import { readOrigin } from '../blocks/values.ts'
import { parsePayload, suggestionPayload, teamOf } from '../inbound/payloads.ts'
import type { Interactions } from './interactions.ts'
import type { OptionsRoute } from './routes.ts'

/** Answers what is typed into the menus that ask the app for their options. */
export function handleOptions(app: App, routes: readonly OptionsRoute[], interactions: Interactions): void {
  app.options(/.*/, async ({ body, ack }) => {
    const payload = parsePayload(suggestionPayload, body, 'options')
    const route = routes.find((one) => matchesAction(one.action, payload.action_id))
    await interactions.run(`options ${route?.action ?? ''}`, async (interaction) => {
      let options: readonly Option[] = []
      try {
        const { team, channel } = payload.view
          ? readOrigin(payload.view)
          : { team: teamOf(payload), channel: '' }
        const origin = { team, channel, userId: payload.user.id }
        if (route) options = await route.handle(await interaction.admit(origin, route.needs), payload.value)
      } catch (error) {
        // A menu has no place for an apology: it stays empty.
        interaction.apologize(error)
      }
      await ack({ options: [...options] })
    })
  })
}
