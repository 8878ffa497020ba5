import { useEffect, useRef, useState } from 'preact/hooks'
import type { GalleryState, ShownSample } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import { toElementId } from './blocks/read.ts'
import { getGallery } from './hooks.ts'
import { MessageFrame } from './message.tsx'
import { ModalFrame } from './modal.tsx'

type Theme = 'light' | 'dark'

interface SampleProps {
  readonly sample: ShownSample
  readonly directory: GalleryState
  readonly theme: Theme
}

/** Draws a sample without any effects. */
function Sample({ sample, directory, theme }: SampleProps) {
  if (sample.kind === 'page')
    // Without scripts; the same origin lets its height be measured. Its color scheme would be the browser's.
    return (
      <iframe
        title={sample.name}
        sandbox="allow-same-origin"
        srcdoc={sample.html.replaceAll('color-scheme: light dark', `color-scheme: ${theme}`)}
        onLoad={({ currentTarget: frame }) => {
          frame.style.height = `${frame.contentDocument?.documentElement.scrollHeight}px`
        }}
      />
    )
  const scope = toElementId(sample.feature, sample.name)
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

const kinds = { message: 'message', modal: 'modal', home: 'Home tab', page: 'web page' } as const

/** Whether an element has come near the visible part of the page. */
function useSeen<T extends Element>() {
  const element = useRef<T>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!element.current || isSeen) return undefined
    const onChange: IntersectionObserverCallback = ([entry]) => setSeen(entry?.isIntersecting === true)
    const observer = new IntersectionObserver(onChange, { rootMargin: '400px' })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isSeen])
  return { element, isSeen }
}

/** About the height of a sample, so that the sections below aren't in view before this one is drawn. */
const SAMPLE_HEIGHT_PX = 320

/** Draws samples once they come into view. */
function Samples({ samples, ...shown }: Omit<SampleProps, 'sample'> & Pick<SectionProps, 'samples'>) {
  const { element, isSeen } = useSeen<HTMLDivElement>()
  if (!isSeen) return <div ref={element} style={{ height: `${samples.length * SAMPLE_HEIGHT_PX}px` }} />
  return samples.map((sample) => (
    <article key={sample.name} class="sample">
      <h3>
        {sample.name} <small>{kinds[sample.kind]}</small>
      </h3>
      <div class="sample-frame card">
        <Sample sample={sample} {...shown} />
      </div>
    </article>
  ))
}

interface SectionProps extends Omit<SampleProps, 'sample'> {
  readonly name: string
  readonly samples: readonly ShownSample[]
  readonly isOpenAtFirst: boolean
  /** Whether a search found these samples. */
  readonly isFound: boolean
}

/** Samples of a feature. */
function Section({ name, samples, isOpenAtFirst, isFound, ...shown }: SectionProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst || location.hash === `#${toElementId(name)}`)
  useEffect(() => setOpen((before) => before || isFound), [isFound])
  return (
    <details id={toElementId(name)} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>
          {name} <small>{samples.length}</small>
        </h2>
      </summary>
      {isOpen && <Samples samples={samples} {...shown} />}
    </details>
  )
}

const isDark = matchMedia('(prefers-color-scheme: dark)').matches

/** Every screen of Callboard. */
export function Gallery() {
  const [state, setState] = useState<GalleryState>()
  const [theme, setTheme] = useState<Theme>(isDark ? 'dark' : 'light')
  const [words, setWords] = useState('')
  /** Undefined until the button for all sections is pressed. */
  const [areAllOpen, setAllOpen] = useState<boolean>()
  const isThere = state?.progress === 1
  useEffect(() => {
    if (!isThere) void getGallery().then(setState)
    document.title = 'Callboard: every screen'
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [state])
  useEffect(() => {
    document.documentElement.style.colorScheme = theme
  }, [theme])
  const other = theme === 'light' ? 'dark' : 'light'
  const found = (state?.samples ?? []).filter((sample) =>
    JSON.stringify(sample).toLowerCase().includes(words.toLowerCase()),
  )
  return (
    <main class="gallery">
      <h1>Every screen</h1>
      {!isThere && (
        <p role="status">
          Recording… <progress aria-label="Recorded" value={state?.progress ?? 0} />
        </p>
      )}
      <p class="note">
        {found.length} messages, modals, Home tabs and web pages with invented data. Buttons only work in{' '}
        <a href="/">the demo</a>.
      </p>
      <div class="gallery-tools row">
        <input
          type="search"
          class="field"
          aria-label="Search"
          placeholder="Search"
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <button type="button" class="button" onClick={() => setTheme(other)}>
          Show in {other}
        </button>
        <button type="button" class="button" onClick={() => setAllOpen(!areAllOpen)}>
          {areAllOpen ? 'Close all' : 'Open all'}
        </button>
      </div>
      {state &&
        Object.entries(Object.groupBy(found, ({ feature }) => feature)).map(([name, samples = []], index) => (
          <Section
            key={`${name} ${areAllOpen}`}
            name={name}
            samples={samples}
            isOpenAtFirst={areAllOpen ?? index === 0}
            isFound={words !== ''}
            directory={state}
            theme={theme}
          />
        ))}
    </main>
  )
}
