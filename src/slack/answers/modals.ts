import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { late, within } from '../../util/within.ts'
import type { Installation } from '../api/installations.ts'
import { askSlack } from '../api/web-api.ts'
import { plain, section } from '../blocks/blocks.ts'
import { SlackUnavailableError } from '../blocks/errors.ts'

/** Something to read where a form has no place yet, or no more. */
export const noticeModal = (
  mrkdwn: string,
  { title = 'Callboard', close = 'Close' } = {},
): types.ModalView => ({
  type: 'modal',
  callback_id: 'notice',
  title: plain(title, 24),
  close: plain(close, 24),
  blocks: [section(mrkdwn)],
})

/** A `trigger_id` lives 3 s from the click, of which Slack and the network had their part. */
const openWithinMs = 700

export interface Modals {
  /**
   * Opens the view once it is ready; where that takes longer than 0.7 s, a modal that says so opens at once and turns
   * into the view, or into `sorry` of what went wrong.
   * @throws whatever `view` rejects with, as long as nothing was opened; {SlackUnavailableError}
   */
  open(
    target: { installation: () => Promise<Installation>; triggerId: string },
    view: Promise<types.ModalView>,
    sorry: (error: unknown) => string,
  ): Promise<void>
  /** @throws {SlackUnavailableError} */
  update(installation: Installation, viewId: string, view: types.ModalView): Promise<void>
}

export function createModals(options: { webApi: WebClient }): Modals {
  const { views } = options.webApi

  async function update({ botToken }: Installation, viewId: string, view: types.ModalView): Promise<void> {
    await askSlack('views.update', views.update({ token: botToken, view_id: viewId, view }))
  }

  return {
    update,
    async open({ installation, triggerId }, work, sorry) {
      const openNow = async (view: types.ModalView) => {
        const token = (await installation()).botToken
        return askSlack('views.open', views.open({ token, trigger_id: triggerId, view }))
      }
      const ready = await within(work, openWithinMs)
      if (ready !== late) {
        await openNow(ready)
        return
      }
      const finished = work.catch((error: unknown) => noticeModal(sorry(error)))
      const { view } = await openNow(noticeModal('One moment…', { close: 'Cancel' }))
      if (view?.id === undefined) throw new SlackUnavailableError('views.open told no id')
      await update(await installation(), view.id, await finished)
    },
  }
}
