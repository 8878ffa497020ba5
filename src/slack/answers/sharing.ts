import type { Log } from '../../log.ts'
import type { Audit } from '../access/audit.ts'
import type { Actor } from '../access/guards.ts'
import { type Channels, isDirectConversation } from '../api/channels.ts'
import type { ResponseUrls } from '../api/response-urls.ts'
import { isShareQuestion, shareQuestion } from '../blocks/share-buttons.ts'
import type { Answer } from './answer.ts'
import { shareRefusal } from './channel-texts.ts'
import type { ClickPlace } from './clicks.ts'

/** Where something is to be shared. */
interface Place {
  readonly actor: Actor
  readonly channel: string
  readonly channelName: string
}

/** What everyone sees, and what it is in words: `15 calls`. */
export interface SharedPage {
  readonly answer: Answer
  readonly what: string
}

/**
 * The name under which a list's share button knows the channel; `undefined` where there is none to be told, as in the answer
 * to a form, and `directmessage` on the home tab too, whose answers go there.
 */
export function channelNameOf({ channel, channelName }: Omit<Place, 'actor'>): string | undefined {
  if (channel === '' || isDirectConversation(channel, channelName)) return 'directmessage'
  return channelName === '' ? undefined : channelName
}

/** Shows a page to everyone in a channel, for the features that have pages. */
export class Sharing {
  readonly #services

  constructor(services: {
    channels: Channels
    responseUrls: ResponseUrls
    audit: Audit
    log: Pick<Log, 'warn'>
  }) {
    this.#services = services
  }

  /** What the menu of an older list asks first. @param actionId of the button that shares, and `value` its own */
  async ask(place: Place, actionId: string, value: string): Promise<Answer> {
    return (await this.#refusal(place)) ?? { message: shareQuestion(actionId, value), place: 'below' }
  }

  /** @param page makes what everyone sees; it is not asked where the channel takes none */
  async share(
    place: Place,
    { block_id }: { readonly block_id: string },
    { responseUrl }: Pick<ClickPlace, 'responseUrl'>,
    page: () => Promise<SharedPage>,
  ): Promise<Answer> {
    const refusal = await this.#refusal(place)
    if (refusal) return refusal
    const { answer: shown, what } = await page()
    // Noted before it is shown: whoever shared it is in the log.
    await this.#services.audit.record(place.actor, 'share', `channel ${place.channel}, ${what}`)
    const answer: Answer = { ...shown, place: 'channel' }
    if (!isShareQuestion(block_id) || responseUrl === undefined) return answer
    return { ...answer, afterwards: () => void this.#close(responseUrl) }
  }

  async #refusal({ actor, channel, channelName }: Place): Promise<Answer | undefined> {
    return shareRefusal(await this.#services.channels.state(actor, channel, channelName), channel)
  }

  /** A question that is answered could be answered twice. */
  async #close(responseUrl: string): Promise<void> {
    const { responseUrls, log } = this.#services
    try {
      await responseUrls.remove(responseUrl)
    } catch (error) {
      log.warn({ err: error }, 'a question was not taken away')
    }
  }
}
