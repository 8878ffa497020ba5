const isHere = (url: string) => url.startsWith('data:') || url.startsWith(`${location.origin}/`)

/** A picture that is somewhere else is not fetched: nothing leaves this machine. Its place and its words are shown. */
export function Picture({
  url,
  alt,
  kind,
}: {
  readonly url: string
  readonly alt: string
  readonly kind?: string
}) {
  const className = `bk-picture ${kind ?? ''}`.trim()
  if (isHere(url)) return <img class={className} src={url} alt={alt} />
  return (
    <span class={`${className} bk-absent`} role="img" aria-label={alt} title={url}>
      {alt}
    </span>
  )
}
