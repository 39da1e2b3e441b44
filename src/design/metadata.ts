// Facts about an API for its readers: contact, licence, servers, tags and links, as OpenAPI names them.
import { type Fields, type SettingForm, list, name, object, required, custom, text } from '../util/setting-form.ts'

/** A page with more documentation. */
export interface ExternalDocs {
  /** The URL of the page. */
  readonly url: string
  /** Describes the page; markdown. */
  readonly description?: string
}

/** The people behind an API. */
export interface Contact {
  /** The name of a person or an organization. */
  readonly name?: string
  /** The URL of a page. */
  readonly url?: string
  /** An e-mail address. */
  readonly email?: string
}

/** The licence of an API. */
export interface License {
  /** The name of the licence, such as `'Apache 2.0'`. */
  readonly name: string
  /** The SPDX expression of the licence, such as `'Apache-2.0'`; not together with `url`. */
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
}

// A relative URL is resolved by the page that shows the document.
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

/** The form of the names of tags. */
export const tagNamesForm: SettingForm = list(name)

/** The form of an operation id: letters, digits and `_`, `.` or `-` between them, which every generator can use. */
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
    const { identifier, url: address } = value as License
    if (identifier === undefined || address === undefined) return []
    return [{ at: '.url', problem: 'it stands beside identifier', remedy: 'keep one of the two, as OpenAPI asks' }]
  },
}

/** The facts that an application declares about itself, for its documents. */
export interface ApiMetadata {
  /** The URL of the terms of service. */
  readonly termsOfService?: string
  /** The people to ask about the API. */
  readonly contact?: Contact
  /** The licence of the API. */
  readonly license?: License
  /**
   * The servers that documents name, without the base path.
   * @default the server that the document comes from
   * @see docs/guide/describing.md#the-application
   */
  readonly servers?: readonly ApiServer[]
  /**
   * Groups of operations, in the order in which documents list them, with their descriptions.
   * @default one for each endpoint
   * @see docs/guide/describing.md#the-application
   */
  readonly tags?: readonly Tag[]
  /** A page with more documentation. */
  readonly externalDocs?: ExternalDocs
}

/** The forms of the facts that an application declares about itself. */
export const metadataFields: Fields<ApiMetadata> = {
  termsOfService: urlForm,
  contact: object<Contact>({ name, url: urlForm, email: emailForm }),
  license: licenseForm,
  servers: list(object<ApiServer>({ url: required(absoluteUrlForm), description: text })),
  tags: list(object<Tag>({ name: required(name), summary: name, description: text, externalDocs: externalDocsForm })),
  externalDocs: externalDocsForm,
}
