// Metadata of an API for its readers: contact, license, servers, tags and links, as in OpenAPI.
import { custom, type Fields, list, name, object, required, type SettingForm, text } from '../util/setting-form.ts'

/** A page with more documentation. */
export interface ExternalDocs {
  /** The URL of the page. */
  readonly url: string
  /** Describes the page; markdown. */
  readonly description?: string
}

/** The people responsible for an API. */
export interface Contact {
  /** The name of a person or an organization. */
  readonly name?: string
  /** The URL of a page. */
  readonly url?: string
  /** An e-mail address. */
  readonly email?: string
}

/** The license of an API. */
export interface License {
  /** The name of the license, such as `'Apache 2.0'`. */
  readonly name: string
  /** The SPDX expression of the license, such as `'Apache-2.0'`; it excludes `url`. */
  readonly identifier?: string
  /** The URL of its text. */
  readonly url?: string
}

/** A server of an API. */
export interface ApiServer {
  /** The URL without the base path and the version, which documents add: `https://api.example.com`. */
  readonly url: string
  /** Describes the server, such as `'Production'`; markdown. */
  readonly description?: string
}

/** A group of operations in documents. */
export interface Tag {
  /** The name that endpoints and actions use. */
  readonly name: string
  /** The title that readers see. */
  readonly summary?: string
  /** Describes the group; markdown. */
  readonly description?: string
  /** A page with more documentation. */
  readonly externalDocs?: ExternalDocs
  /**
   * The tag of `tags` that this one is a part of. Only documents in OpenAPI 3.2 have it.
   * @default none: the tag stands by itself
   */
  readonly parent?: string
  /**
   * The use of the tag: `'nav'` for navigation, `'badge'`, `'audience'`, or a word of your own. Only documents in OpenAPI 3.2 have it.
   * @default none
   */
  readonly kind?: string
}

// The page that shows the document resolves relative URLs.
const urlForm = custom(
  "a URL such as 'https://example.com', or a path",
  (value) => typeof value === 'string' && isUrl(value),
)

const isUrl = (value: string): boolean => /^(?:https?:\/\/[^\s/]|\/(?!\/))[^\s<>"]*$/i.test(value)

const absoluteUrlForm = custom(
  "a URL such as 'https://api.example.com'",
  (value) => typeof value === 'string' && /^https?:/i.test(value) && isUrl(value) && !/[?#]/.test(value),
)

const emailForm = custom('an e-mail address', (value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value))

const externalDocsFields: Fields<ExternalDocs> = { url: required(urlForm), description: text }

/** The form of a link to more documentation. */
export const externalDocsForm: SettingForm = object(externalDocsFields)

/** The form of tag names. */
export const tagNamesForm: SettingForm = list(name)

/** The form of an operation id: letters, digits and `_`, `.` or `-`, which every generator supports. */
export const operationIdForm: SettingForm = custom(
  "a name such as 'listBooks', of letters, digits, _, . and -, beginning with a letter",
  (value) => typeof value === 'string' && /^[A-Za-z][\w.-]*$/.test(value),
)

const licenseMembersForm = object<License>({ name: required(name), identifier: name, url: urlForm })

const licenseForm: SettingForm = {
  expected: licenseMembersForm.expected,
  check(value) {
    const flaws = licenseMembersForm.check(value)
    if (flaws.length > 0) return flaws
    const { identifier, url } = value as License
    if (identifier === undefined || url === undefined) return []
    return [
      { at: '.url', problem: 'it is set together with identifier', remedy: 'keep one of the two, as OpenAPI requires' },
    ]
  },
}

/** The metadata that an application declares for its documents. */
export interface ApiMetadata {
  /** The URL of the terms of service. */
  readonly termsOfService?: string
  /** The people to contact about the API. */
  readonly contact?: Contact
  /** The license of the API. */
  readonly license?: License
  /**
   * The servers in documents, without the base path.
   * @default the server that the document comes from
   * @see docs/guide/describing.md#the-application
   */
  readonly servers?: readonly ApiServer[]
  /**
   * The groups of operations, in document order, with their descriptions.
   * @default one for each endpoint
   * @see docs/guide/describing.md#the-application
   */
  readonly tags?: readonly Tag[]
  /** A page with more documentation. */
  readonly externalDocs?: ExternalDocs
}

/** The forms of an application's metadata. */
export const metadataFields: Fields<ApiMetadata> = {
  termsOfService: urlForm,
  contact: object<Contact>({ name, url: urlForm, email: emailForm }),
  license: licenseForm,
  servers: list(object<ApiServer>({ url: required(absoluteUrlForm), description: text })),
  tags: list(
    object<Tag>({
      name: required(name),
      summary: name,
      description: text,
      externalDocs: externalDocsForm,
      parent: name,
      kind: name,
    }),
  ),
  externalDocs: externalDocsForm,
}
