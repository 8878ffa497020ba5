import { Ids } from '../slack/ids.ts'
import { messageBody, viewBody } from '../slack/shapes.ts'
import { gallery, type Sample } from './gallery/gallery.ts'
import { directory } from './gallery/setting.ts'
import type { GalleryState, ShownSample } from './gallery-types.ts'

function shownSample(sample: Sample, ids: Ids): ShownSample {
  const { feature, name, kind, body } = sample
  if (kind === 'page') return { feature, name, kind, html: body }
  if (kind === 'message')
    return { feature, name, kind, blocks: ids.fillIn(messageBody.parse(body).blocks ?? []) }
  const { title, submit, close, blocks: all } = viewBody.parse(body)
  const blocks = ids.fillIn(all)
  if (kind === 'home') return { feature, name, kind, blocks }
  const frame = { title: title?.text ?? '', submit: submit?.text, close: close?.text ?? 'Cancel' }
  return { feature, name, kind, ...frame, blocks, errors: sample.errors ?? {} }
}

/** Every sample as the page draws it, its blocks with ids as Slack would give them. */
export function galleryState(): GalleryState {
  const ids = new Ids(() => 0)
  return { ...directory, samples: gallery.map((sample) => shownSample(sample, ids)) }
}
