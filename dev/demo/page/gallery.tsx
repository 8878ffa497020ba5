import { useEffect, useState } from 'preact/hooks'
import type { GalleryState, ShownSample } from '../api-types.ts'
import { getGallery } from './api.ts'
import { Blocks } from './blocks/blocks.tsx'
import { idOf } from './blocks/read.ts'
import { MessageFrame } from './message.tsx'
import { ModalFrame } from './modal.tsx'

interface SampleProps {
  readonly sample: ShownSample
  readonly directory: GalleryState
  readonly theme: 'light' | 'dark'
}

/** The page as it is for people who prefer that scheme: a frame asks the browser, not the page that it is in. */
const inTheme = (html: string, theme: 'light' | 'dark') =>
  html.replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all')

/** A message, modal, home tab or page as people see it, which does nothing. */
function Sample({ sample, directory, theme }: SampleProps) {
  if (sample.kind === 'page')
    return <iframe title={sample.name} sandbox="" srcdoc={inTheme(sample.html, theme)} />
  // Everything is drawn twice.
  const scope = idOf(sample.feature, sample.name, theme)
  const errors = sample.kind === 'modal' ? sample.errors : {}
  const blocks = (
    <Blocks
      blocks={sample.blocks}
      surface={sample.kind}
      scope={scope}
      directory={directory}
      errors={errors}
    />
  )
  switch (sample.kind) {
    case 'home':
      return blocks
    case 'modal':
      return (
        <div class="modal card">
          <ModalFrame
            view={sample}
            titleId={`${scope}-title`}
            onClose={() => {}}
            onSubmit={(event) => event.preventDefault()}
          >
            {blocks}
          </ModalFrame>
        </div>
      )
    case 'message':
      return (
        <div class="message">
          <MessageFrame author={{ name: 'Callboard', isApp: true }} time="14:32">
            {blocks}
          </MessageFrame>
        </div>
      )
  }
}

const themes = ['light', 'dark'] as const
const kinds = { message: 'message', modal: 'modal', home: 'home tab', page: 'web page' } as const

/** Everything that Callboard can show, in light and in dark. */
export function Gallery() {
  const [state, setState] = useState<GalleryState>()
  const isThere = state?.progress === 1
  useEffect(() => {
    if (!isThere) void getGallery().then(setState)
    document.title = 'Callboard, everything it shows'
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [state])
  const features = Object.entries(Object.groupBy(state?.samples ?? [], ({ feature }) => feature))
  return (
    <main class="gallery">
      <h1>Everything that Callboard can show</h1>
      {!isThere && (
        <p role="status">
          The app is being used to see what it shows…{' '}
          <progress aria-label="Recorded" value={state?.progress ?? 0} />
        </p>
      )}
      <p class="note">
        {isThere && state.samples.length} messages, modals, home tabs and web pages with invented data, in
        light and in dark. Nothing here does anything; <a href="/">the demo</a> does.
      </p>
      <nav class="row" aria-label="Features">
        {features.map(([name, samples = []]) => (
          <a key={name} href={`#${idOf(name)}`}>
            {name} <small>{samples.length}</small>
          </a>
        ))}
      </nav>
      {state &&
        features.map(([name, samples = []]) => (
          <section key={name} aria-labelledby={idOf(name)}>
            <h2 id={idOf(name)}>{name}</h2>
            {samples.map((sample) => (
              <article key={sample.name} class="sample">
                <h3>
                  {sample.name} <small>{kinds[sample.kind]}</small>
                </h3>
                <div class="sample-pair">
                  {themes.map((theme) => (
                    <div key={theme} class="sample-theme card" style={{ colorScheme: theme }}>
                      <Sample sample={sample} directory={state} theme={theme} />
                    </div>
                  ))}
                </div>
              </article>
            ))}
          </section>
        ))}
    </main>
  )
}
