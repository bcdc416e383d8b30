/* SPDX-License-Identifier: Apache-2.0
 *
 * Which version this is. Packages and releases read it here, too.
 */
#ifndef BALLAST_CLI_VERSION_H
#define BALLAST_CLI_VERSION_H

#ifndef BALLAST_VERSION
#define BALLAST_VERSION "1.0.0"
#endif
/* When it was released, for its manual. */
#define BALLAST_DATE "2026-11-29"

#endif
